import { isUnionType } from 'graphql';
import { GRAPHQL_ERROR_CODES, standardErrors } from '../../../descriptor/standard-errors.ts';
import { declaredErrors, errorCatalogue } from '../../model/errors/catalogue.ts';
import { schemaNamed } from '../../model/schemas.ts';
import { discriminated } from '../convention/discriminated.ts';
import type { Parity } from './parity.ts';
import { addAfter } from './sdl-edits.ts';

const NO_VARIANTS = 'Give it a schema of its name with `oneOf` and `discriminator`, or remove the union.';

/** The types of each union and the variants of the schema with the same name. */
export function unionFacts(parity: Parity): void {
  for (const type of Object.values(parity.schema.getTypeMap())) {
    if (!isUnionType(type)) continue;
    const schema = schemaNamed(parity.document, type.name);
    const node = typeof schema === 'object' ? schema : parity.document;
    const variants = Object.values(discriminated(parity.document, type.name)?.schemas ?? {});
    const members = type.getTypes().map(({ name }) => name);
    for (const name of new Set([...variants, ...members])) {
      const rest = parity.rest(variants.includes(name) ? name : undefined, node, 'oneOf');
      parity.add(
        type.name,
        'union',
        `${type.name} ${name}`,
        rest,
        parity.graphql(members.includes(name) ? name : undefined, type, type.name),
        () => (members.includes(name) ? undefined : addAfter(type.astNode, ` | ${name}`)),
        variants.length > 0 ? undefined : NO_VARIANTS,
      );
    }
  }
}

/** The error codes, which both protocols share. */
export function errorFacts(parity: Parity): void {
  const declared = declaredErrors(parity.document);
  const node = declared?.schema ?? parity.document.info;
  const catalogue = errorCatalogue(parity.document);
  for (const code of new Set([...Object.keys(catalogue), ...GRAPHQL_ERROR_CODES])) {
    const { status } = (catalogue[code] ?? standardErrors[code])!;
    const rest = parity.rest(catalogue[code] && `${code} ${status}`, node, declared ? 'enum' : undefined);
    parity.add('errors', 'error', code, rest, parity.graphql(`${code} ${status}`, undefined));
  }
}
