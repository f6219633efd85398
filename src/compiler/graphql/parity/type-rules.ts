import { getNamedType, isInterfaceType, isScalarType, isSpecifiedScalarType } from 'graphql';
import { resolvers } from 'graphql-scalars';
import { suggestion } from '../../findings/wording.ts';
import { SCALAR_SCHEMAS } from '../../sdl/scalar-schemas.ts';
import { EVENTS, eventFieldName } from '../convention/names.ts';
import type { SdlRule } from './sdl-rule.ts';

/** The scalars of graphql-scalars, and `Decimal`. */
const SCALARS = [...Object.keys(resolvers), 'Decimal'];

export const scalarKnown: SdlRule = {
  id: 'sdl-scalar',
  summary: 'Scalars are ones that the server implements.',
  advice: 'Those of graphql-scalars, and `Decimal`.',
  *check({ schema }) {
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
  },
};

export const interfaceAnswered: SdlRule = {
  id: 'sdl-interface',
  summary: 'No field answers with an interface.',
  advice: 'Nothing says which type a value has: write the type, or a union with a schema of its name.',
  *check({ schema, fields }) {
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
  },
};

export const subscriptionField: SdlRule = {
  id: 'sdl-subscription',
  summary: 'A subscription is an event of a resource.',
  advice: '`bookCreated`, `bookUpdated` or `bookDeleted`.',
  *check({ schema, fields, resources }) {
    const known = [...resources.values()].flatMap((one) => EVENTS.map((kind) => eventFieldName(one, kind)));
    for (const { type, field, coordinate, descriptor } of fields) {
      if (type !== schema.getSubscriptionType() || descriptor?.kind !== 'custom') continue;
      yield {
        message: `\`${coordinate}\` is not an event of a resource.`,
        hint: suggestion(field.name, known),
        node: field.astNode,
        coordinate,
      };
    }
  },
};
