import {
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isScalarType,
} from 'graphql';
import { upperFirst } from '../../../compiler/model/index.ts';

/** Names that genqlient makes none of that Go takes. */
export const UNSPEAKABLE = /^_*\d/;

const NULLABLE = 'github.com/oapi-codegen/nullable.Nullable';

/** Scalars whose types need no import. */
const SIMPLE: Readonly<Record<string, string>> = {
  ...{ Boolean: 'bool', Float: 'float64', ID: 'string', Int: 'int', String: 'string' },
  ...{ BigInt: 'BigInt', Decimal: 'string', EmailAddress: 'string', SafeInt: 'int64', URL: 'string' },
};

/** Names of enums and inputs that genqlient would not make a type for, since lists of them are bound to one of ours. */
export function listedTypes(schema: GraphQLSchema): string[] {
  const fields = Object.values(schema.getTypeMap()).flatMap((type) =>
    isInputObjectType(type) ? Object.values(type.getFields()) : [],
  );
  const listed = fields.filter(({ name, type }) => isSpeakable(name, type) && fieldOptions(type).includes('bind'));
  const types = new Set(listed.map(({ type }) => getNamedType(type)));
  return [...types].filter((type) => !isScalarType(type)).map(({ name }) => name);
}

/** Whether genqlient can name a field of an input, and its type. */
const isSpeakable = (field: string, type: GraphQLInputType): boolean =>
  !UNSPEAKABLE.test(field) && !UNSPEAKABLE.test(getNamedType(type).name);

/** The options of each field that may be left out, of an input and of those in it, by `ProductPatch.name`. */
export function addFieldOptions(given: GraphQLInputType, options: Map<string, string>, seen = new Set<string>()): void {
  const type = getNamedType(given);
  if (!isInputObjectType(type) || seen.has(type.name)) return;
  seen.add(type.name);
  for (const field of Object.values(type.getFields())) {
    const own = fieldOptions(field.type);
    if (own && isSpeakable(field.name, field.type)) options.set(`${type.name}.${field.name}`, own);
    addFieldOptions(field.type, options, seen);
  }
}

/** Those of a field; none where it must be sent. A list that may be left out differs from an empty one. */
function fieldOptions(type: GraphQLInputType): string {
  if (isNonNullType(type)) return '';
  const list = isListType(type) ? listOf(type.ofType) : undefined;
  return list === undefined ? 'omitempty: true' : `omitempty: true, bind: "${NULLABLE}[[]${list}]"`;
}

/** Go's type of an entry; none where it would have to be imported. */
function listOf(entry: GraphQLInputType): string | undefined {
  if (!isNonNullType(entry) || isListType(entry.ofType)) return undefined;
  const { name } = entry.ofType;
  if (isScalarType(entry.ofType)) return SIMPLE[name];
  return upperFirst(name.replace(/^_+/, '').replace(/_+(.?)/g, (_, letter: string) => letter.toUpperCase()));
}
