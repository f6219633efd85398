import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLNamedType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isRequiredInputField,
  isScalarType,
  isSpecifiedScalarType,
  print,
  valueFromAST,
} from 'graphql';
import { resolvers } from 'graphql-scalars';
import { withArticle } from '../../../descriptor/article.ts';
import { suggestion } from '../../findings/wording.ts';
import { SCALAR_SCHEMAS } from '../../sdl/scalar-schemas.ts';
import { EVENTS, eventFieldName } from '../convention/names.ts';
import { codeName, documentTypeNames, resolverTypeNames } from '../names/code-name.ts';
import type { SdlRule } from './sdl-rule.ts';

/** The scalars of graphql-scalars, and `Decimal`. */
const SCALARS = [...Object.keys(resolvers), 'Decimal'];

export const scalarKnown: SdlRule = {
  id: 'sdl-scalar',
  summary: 'The server implements every scalar.',
  advice: 'Use those of graphql-scalars, or `Decimal`.',
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
  summary: 'No field returns an interface.',
  advice:
    'OpenAPI has no counterpart. Return the type, or a union, which corresponds to a schema with `oneOf` and `discriminator`.',
  *check({ schema, fields }) {
    const answered = new Set(fields.map(({ field }) => getNamedType(field.type)));
    for (const type of Object.values(schema.getTypeMap())) {
      if (!isInterfaceType(type) || !answered.has(type)) continue;
      yield {
        message: `Fields return \`${type.name}\`, an interface: OpenAPI does not have a counterpart.`,
        hint: `Write \`type ${type.name}\`, or a union of the types, which corresponds to a schema with \`oneOf\` and \`discriminator\`.`,
        node: type.astNode,
        coordinate: type.name,
      };
    }
  },
};

const isOfDocuments = (type: GraphQLNamedType): boolean => isEnumType(type) || isInputObjectType(type);

export const typeNamed: SdlRule = {
  id: 'sdl-type-name',
  summary: 'A type has its own name in TypeScript.',
  advice:
    'Generated types have the names of the schema, with a capital, and names made from them: `OrderResolvers`, `QueryOrdersArgs`, `OrdersQuery`. Rename the type, for example `OrderResolversType`.',
  *check({ schema }) {
    const [ofResolvers, ofDocuments] = [resolverTypeNames(schema), documentTypeNames(schema)];
    const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
    const alike = Map.groupBy(types, ({ name }) => codeName(name));
    for (const type of types) {
      const { name, astNode } = type;
      const code = codeName(name);
      const other = alike.get(code)!.find((one) => one.name !== name && one.name < name);
      const isInherited = name in {};
      const derived = ofResolvers.get(code) ?? (isOfDocuments(type) ? ofDocuments.get(code) : undefined);
      if (!isInherited && other === undefined && derived === undefined) continue;
      yield {
        message: isInherited
          ? `\`${name}\` is a member of every object in JavaScript: types cannot be generated for it.`
          : other
            ? `\`${name}\` and \`${other.name}\` have the same name in generated types, \`${code}\`.`
            : `Generated types have \`${code}\` already, for ${derived}.`,
        hint: `Rename the type, to \`${name}${alike.has(`${code}Type`) ? 'Value' : 'Type'}\` for example.`,
        node: astNode,
        coordinate: name,
      };
    }
  },
};

export const subscriptionField: SdlRule = {
  id: 'sdl-subscription',
  summary: 'A subscription is an event of a resource.',
  advice: 'Name it `bookCreated`, `bookUpdated` or `bookDeleted`.',
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

export const mappedSubscription: SdlRule = {
  id: 'sdl-mapped-subscription',
  summary: 'A subscription to a mapped resource hears of writes of Lockstep alone.',
  advice: 'Other programs write its table, too, and their writes are no events. Remove the field, or poll the list.',
  *check({ fields, resources }) {
    const heard = new Set<string>();
    for (const { field, coordinate, descriptor } of fields) {
      if (
        descriptor === undefined ||
        !(EVENTS as readonly string[]).includes(descriptor.kind) ||
        !('resource' in descriptor)
      )
        continue;
      const { mapped, name } = resources.get(descriptor.resource) ?? {};
      if (!mapped || heard.has(descriptor.resource)) continue;
      heard.add(descriptor.resource);
      yield {
        severity: 'warning',
        message: `\`${coordinate}\` and other events of \`${name}\` are of writes of Lockstep alone, and not of other programs that write \`${mapped.schema}.${mapped.name}\`.`,
        hint: 'Remove the field, or poll the list.',
        node: field.astNode,
        coordinate,
      };
    }
  },
};

/** Names that Go cannot have: its names begin with a letter. */
const UNSPEAKABLE = /^_*\d/;

export const inputName: SdlRule = {
  id: 'sdl-input-name',
  summary: 'A required field of an input has a name that Go clients can express.',
  advice:
    '`_2fa`, a digit after underscores, is not a name of Go. Begin the name of the property with a letter, or make it optional.',
  *check({ schema }) {
    for (const type of Object.values(schema.getTypeMap()).filter(isInputObjectType)) {
      for (const field of Object.values(type.getFields())) {
        if (!isRequiredInputField(field) || !UNSPEAKABLE.test(field.name)) continue;
        const coordinate = `${type.name}.${field.name}`;
        yield {
          severity: 'warning',
          message: `\`${coordinate}\` is required, and Go clients cannot express its name: they cannot send ${withArticle(`\`${type.name}\``)}.`,
          hint: 'Begin the name of the property with a letter, or do not require it.',
          node: field.astNode,
          coordinate,
        };
      }
    }
  },
};

export const defaultOfType: SdlRule = {
  id: 'sdl-default',
  summary: 'A default is a valid value of its type.',
  advice: 'An invalid default, such as `Int = "many"` or an unknown enum value, would be ignored without a warning.',
  *check({ schema }) {
    for (const type of Object.values(schema.getTypeMap())) {
      if (isInputObjectType(type))
        for (const field of Object.values(type.getFields())) yield* faultyDefault(field, `${type.name}.${field.name}`);
      if (isObjectType(type))
        for (const field of Object.values(type.getFields()))
          for (const argument of field.args)
            yield* faultyDefault(argument, `${type.name}.${field.name}(${argument.name}:)`);
    }
  },
};

function* faultyDefault({ astNode, type }: GraphQLArgument | GraphQLInputField, coordinate: string) {
  const written = astNode?.defaultValue;
  if (!written || valueFromAST(written, type) !== undefined) return;
  yield {
    message: `The default \`${print(written)}\` of \`${coordinate}\` is not a value of \`${String(type)}\`.`,
    hint: 'Write one of its values, or leave the default out.',
    node: written,
    coordinate,
  };
}
