import {
  type GraphQLArgument,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  isUnionType,
  valueFromASTUntyped,
} from 'graphql';
import { schemaReference } from '../../compiler/json-schema/index.ts';
import { SCALAR_SCHEMAS } from '../../compiler/sdl/index.ts';
import type { Json } from './openapi-resource.ts';

type GraphQLValueType = GraphQLOutputType | GraphQLInputType;

/** The JSON Schemas of GraphQL types. Types that have names become schemas of their own. */
export class SchemaDeriver {
  /** What the named types need, by the name of the schema. */
  readonly schemas = new Map<string, Json>();
  /** Names that the contract has schemas for. */
  readonly #known: (name: string) => boolean;
  /** Sentences on what cannot be derived. */
  readonly gaps: string[] = [];

  constructor(known: (name: string) => boolean) {
    this.#known = known;
  }

  /** The schema of a value; `isNullable` lets null in. */
  valueSchema(type: GraphQLValueType, isNullable: boolean): Json {
    const inner = isNonNullType(type) ? type.ofType : type;
    if (isListType(inner)) {
      const items = this.valueSchema(inner.ofType, !isNonNullType(inner.ofType));
      return { type: isNullable ? ['array', 'null'] : 'array', items };
    }
    if (isScalarType(inner)) return schemaOfScalar(inner.name, isNullable);
    const named = schemaReference(this.#named(inner as GraphQLNamedType));
    return isNullable ? { oneOf: [named, { type: 'null' }] } : named;
  }

  /** The name of the schema of a type: an input may share that of the output type. */
  #named(type: GraphQLNamedType): string {
    const base = type.name.replace(/Input$/, '');
    const name = isInputObjectType(type) && (this.#known(base) || this.schemas.has(base)) ? base : type.name;
    if (this.#known(name) || this.schemas.has(name)) return name;
    this.schemas.set(name, {});
    this.schemas.set(name, this.#schemaOf(type));
    return name;
  }

  #schemaOf(type: GraphQLNamedType): Json {
    const description = type.description == null ? {} : { description: type.description };
    if (isEnumType(type)) return { ...description, type: 'string', enum: type.getValues().map(({ name }) => name) };
    if (isUnionType(type) || (isInputObjectType(type) && type.isOneOf))
      this.gaps.push(
        `\`${type.name}\`: write its \`oneOf\` and \`discriminator\`; the SDL does not name the property.`,
      );
    return isObjectType(type) || isInputObjectType(type) ? { ...description, ...this.objectSchema(type) } : description;
  }

  /** The schema of an object, with a property for each field that is one. */
  objectSchema(type: GraphQLObjectType | GraphQLInputObjectType, choices: PropertyChoices = {}): Json {
    const { isProperty = () => true, isNullable = () => true, extension = () => ({}) } = choices;
    const fields = Object.values(type.getFields()).filter(({ name }) => isProperty(name));
    const isOutput = isObjectType(type);
    const required = fields.filter((field) => isOutput || isNonNullType(field.type));
    return {
      type: 'object',
      properties: Object.fromEntries(
        fields.map((field) => [
          field.name,
          { ...this.propertySchema(field, isNullable(field.name)), ...extension(field.name) },
        ]),
      ),
      ...(required.length > 0 && { required: required.map(({ name }) => name) }),
      ...(!isOutput && { additionalProperties: false }),
    };
  }

  /** `mayBeNull`: whether null is a value, and not only what is left out. */
  propertySchema(field: AnyField, mayBeNull: boolean): Json {
    const isNullable = mayBeNull && !isNonNullType(field.type) && !hasDefault(field);
    return {
      ...this.valueSchema(field.type, isNullable),
      ...(field.description != null && { description: field.description }),
      ...(hasDefault(field) && { default: valueFromASTUntyped(field.astNode!.defaultValue!) }),
    };
  }
}

/** Which fields are properties, and which of those may be null; all, if left out. `extension`: what a property has besides. */
export interface PropertyChoices {
  readonly isProperty?: (field: string) => boolean;
  readonly isNullable?: (field: string) => boolean;
  readonly extension?: (field: string) => Json;
}

export type AnyField =
  | GraphQLArgument
  | ReturnType<GraphQLInputObjectType['getFields']>[string]
  | ReturnType<GraphQLObjectType['getFields']>[string];

const hasDefault = (field: AnyField): field is GraphQLArgument =>
  (field.astNode as { readonly defaultValue?: unknown } | null | undefined)?.defaultValue !== undefined;

const MAX_INT32 = 2_147_483_647;

/** Integers of a derived document say their bounds. */
const INTEGERS: Readonly<Record<string, Json>> = {
  Int: { type: 'integer', minimum: -MAX_INT32 - 1, maximum: MAX_INT32 },
  SafeInt: { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
};

/** The schema of a scalar; one that the conventions do not know is a string. */
function schemaOfScalar(scalar: string, isNullable: boolean): Json {
  const schema = INTEGERS[scalar] ?? SCALAR_SCHEMAS[scalar] ?? { type: 'string' };
  return isNullable ? { ...schema, type: [schema['type'], 'null'] } : schema;
}
