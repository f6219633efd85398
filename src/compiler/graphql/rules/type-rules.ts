import { getNamedType, isInterfaceType, isScalarType, isSpecifiedScalarType } from 'graphql';
import { resolvers } from 'graphql-scalars';
import { suggestion } from '../../findings/wording.ts';
import { SCALAR_SCHEMAS } from '../../sdl/scalar-schemas.ts';
import type { SdlCheck } from './sdl-rule.ts';

/** The scalars of graphql-scalars, and `Decimal`. */
const SCALARS = [...Object.keys(resolvers), 'Decimal'];

/** Scalars are ones that the server implements, and their names are no other types'. */
export const scalarKnown: SdlCheck = function* ({ schema }) {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isScalarType(type) && Object.hasOwn(SCALAR_SCHEMAS, type.name))
      yield {
        message: `\`${type.name}\` is the name of a scalar, but not declared as one.`,
        hint: `Write \`scalar ${type.name}\`, or choose another name.`,
        node: type.astNode,
        coordinate: type.name,
      };
    if (!isScalarType(type) || isSpecifiedScalarType(type) || SCALARS.includes(type.name)) continue;
    yield {
      message: `The scalar \`${type.name}\` is not known to the server.`,
      hint: suggestion(type.name, SCALARS),
      node: type.astNode,
      coordinate: type.name,
    };
  }
};

/** Nothing says which type a value of an interface has, so no field answers with one. */
export const interfaceAnswered: SdlCheck = function* ({ schema, fields }) {
  const answered = new Set(fields.map(({ field }) => getNamedType(field.type)));
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isInterfaceType(type) || !answered.has(type)) continue;
    yield {
      message: `Fields answer with \`${type.name}\`, which is an interface: nothing says which type a value has.`,
      hint: `Write \`type ${type.name}\`, or a union of the types, which corresponds to a schema with \`oneOf\` and \`discriminator\`.`,
      node: type.astNode,
      coordinate: type.name,
    };
  }
};

/** A subscription field is an event of a resource. */
export const subscriptionField: SdlCheck = function* ({ schema, fields, resources }) {
  const known = [...resources.values()].flatMap(({ name }) =>
    ['Created', 'Updated', 'Deleted'].map((kind) => `${name.charAt(0).toLowerCase()}${name.slice(1)}${kind}`),
  );
  for (const { type, field, coordinate, descriptor } of fields) {
    if (type !== schema.getSubscriptionType() || descriptor?.kind !== 'custom') continue;
    yield {
      message: `\`${coordinate}\` is not an event of a resource.`,
      hint: suggestion(field.name, known),
      node: field.astNode,
      coordinate,
    };
  }
};
