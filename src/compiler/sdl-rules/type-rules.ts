import { isScalarType, isSpecifiedScalarType, isUnionType } from 'graphql';
import { resolvers } from 'graphql-scalars';
import { discriminated } from '../fields/discriminated.ts';
import { oneOf, suggestion } from '../rules/wording.ts';
import type { SdlCheck } from './sdl-rule.ts';

/** The scalars of graphql-scalars, and `Decimal`. */
const SCALARS = [...Object.keys(resolvers), 'Decimal'];

/** Scalars are ones that the server implements. */
export const scalarKnown: SdlCheck = function* ({ schema }) {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isScalarType(type) || isSpecifiedScalarType(type) || SCALARS.includes(type.name)) continue;
    yield {
      message: `The scalar \`${type.name}\` is not known to the server.`,
      hint: suggestion(type.name, SCALARS),
      node: type.astNode,
      coordinate: type.name,
    };
  }
};

/** A union corresponds to the schema of the same name, whose discriminator distinguishes its types. */
export const unionSchema: SdlCheck = function* ({ schema, document }) {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isUnionType(type)) continue;
    const variants = discriminated(document, type.name);
    const names = type.getTypes().map(({ name }) => name);
    const unmatched = variants ? names.filter((name) => !Object.values(variants.schemas).includes(name)) : names;
    if (unmatched.length === 0) continue;
    yield {
      message: variants
        ? `The union \`${type.name}\` has ${oneOf(unmatched)}, which the schema \`${type.name}\` does not have.`
        : `The union \`${type.name}\` has no schema of the same name with \`oneOf\` and \`discriminator\`.`,
      hint: variants
        ? `Its types are ${oneOf(Object.values(variants.schemas))}.`
        : `Add such a schema to \`components.schemas\`, or remove the union.`,
      node: type.astNode,
      coordinate: type.name,
    };
  }
};
