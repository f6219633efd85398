import { isUnionType } from 'graphql';
import type { Schema } from '../../descriptor/document.ts';
import { GRAPHQL_ERROR_CODES, standardErrors } from '../../descriptor/standard-errors.ts';
import { declaredErrors, errorCatalogue } from '../errors/catalogue.ts';
import { accessOf } from '../fields/access-of.ts';
import { discriminated } from '../fields/discriminated.ts';
import type { OperationDraft } from '../model/draft.ts';
import { jsonContent, responseOf } from '../model/responses.ts';
import { accessText } from './access-text.ts';
import type { Parity } from './parity.ts';
import { typeText } from './type-text.ts';

/** Custom operations and custom fields. */
export function customFacts(parity: Parity): void {
  const standard = new Set(parity.draft.resources.flatMap(({ operations }) => Object.values(operations)));
  const fields = parity.fields.filter(([, { kind }]) => kind === 'custom');
  const named = new Set<string>();
  for (const [coordinate, descriptor, field] of fields) {
    const id = descriptor.kind === 'custom' ? descriptor.operationId : undefined;
    if (id !== undefined) named.add(id);
    const operation = parity.draft.operations.find(({ operationId }) => operationId === id);
    const rest = operation
      ? parity.rest(id, operation.item, operation.method)
      : parity.rest(undefined, parity.document);
    parity.add(
      'custom',
      'custom',
      coordinate,
      { ...rest, because: undefined },
      parity.graphql(id ?? coordinate, field, coordinate),
    );
    if (operation) customFieldFacts(parity, coordinate, operation);
  }
  for (const operation of parity.draft.operations) {
    if (standard.has(operation) || named.has(operation.operationId)) continue;
    const { because } = parity.rest('', operation.node);
    const rest = { ...parity.rest(operation.operationId, operation.item, operation.method), because };
    parity.add('custom', 'custom', operation.operationId, rest, parity.graphql(undefined, undefined));
  }
}

function customFieldFacts(parity: Parity, coordinate: string, operation: OperationDraft): void {
  const field = parity.field(coordinate)!;
  const at = (text: string | undefined) => ({
    ...parity.rest(text, operation.item, operation.method),
    because: undefined,
  });
  const own = (text: string | undefined) => ({ ...parity.graphql(text, field, coordinate), because: undefined });
  parity.add(
    'custom',
    'return',
    coordinate,
    at(answerOf(parity, operation, String(field.type))),
    own(String(field.type)),
  );
  parity.add(
    'custom',
    'scope',
    coordinate,
    at(accessText(operation.access)),
    own(accessText(accessOf(field, parity.document))),
  );
  const graphql = field.deprecationReason == null ? undefined : 'deprecated';
  parity.add(
    'custom',
    'deprecation',
    coordinate,
    at(operation.node.deprecated ? 'deprecated' : undefined),
    own(graphql),
  );
}

/** The type of the operation's successful response, with the nullability of the field. */
function answerOf(parity: Parity, operation: OperationDraft, actual: string): string | undefined {
  const status = Object.keys(operation.node.responses ?? {}).find((code) => code.startsWith('2'));
  const response = status === undefined ? undefined : responseOf(parity.document, operation, Number(status));
  const schema = jsonContent(response)?.schema as Schema | undefined;
  if (schema === undefined) return 'Boolean!';
  const type = typeText(
    parity.document,
    [schema],
    'output',
    parity.schema.getType(actual.replace(/[[\]!]/g, '')) as never,
  );
  return actual.endsWith('!') ? `${type}!` : type;
}

/** The types of each union and the variants of the schema with the same name. */
export function unionFacts(parity: Parity): void {
  for (const type of Object.values(parity.schema.getTypeMap())) {
    const node = parity.document.components?.schemas?.[type.name];
    if (!isUnionType(type) || typeof node !== 'object') continue;
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
