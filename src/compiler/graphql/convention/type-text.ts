import {
  type GraphQLNamedType,
  type GraphQLType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isObjectType,
} from 'graphql';
import type { OpenApiDocument, Schema } from '../../../descriptor/document.ts';
import { nullUnion } from '../../../descriptor/null-union.ts';
import { type FlatSchema, isSchemaObject } from '../../json-schema/flat-schema.ts';
import { isInt32 } from '../../json-schema/integer-bounds.ts';
import { enumValues, propertyType, valueTypes } from '../../json-schema/property-type.ts';
import { isReference, nodeAt, schemaNameOf } from '../../json-schema/references.ts';
import { conditionSchemas } from '../../model/filters/filter-parameters.ts';
import { acceptsNull, flatNamed, flatSchema, itemsOf } from '../../model/schemas.ts';
import { isRestOnly } from './contract-side.ts';
import { discriminated } from './discriminated.ts';
import { inputTypeName, schemaOfInput } from './names.ts';

export type Use = 'output' | 'input';

/** The scalars for strings with a format. */
const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'ID',
  'date-time': 'DateTime',
  date: 'Date',
  email: 'EmailAddress',
  uri: 'URL',
  int64: 'BigInt',
  decimal: 'Decimal',
};

/**
 * The GraphQL type of a schema by the conventions, without its own nullability. An inline schema matches any type of
 * its kind, so its text is that of the actual type.
 */
export function typeText(
  document: OpenApiDocument,
  schemas: readonly Schema[],
  use: Use,
  actual: GraphQLType | undefined,
): string {
  const flat = flatSchema(document, ...schemas);
  const named = actual && getNamedType(actual);
  if (enumValues(flat)) return nameOfAny(document, schemas) ?? nameIf(isEnumType(named), named) ?? 'an enum';
  switch (onlyType(flat)) {
    case 'array':
      return arrayText(document, flat, use, actual);
    case 'string':
      return FORMATS[String(flat.keywords.get('format')?.value)] ?? 'String';
    case 'integer':
      return isInt32(flat) ? 'Int' : 'SafeInt';
    case 'number':
      return 'Float';
    case 'boolean':
      return 'Boolean';
    default:
      return objectText(document, flat, schemas, use, named);
  }
}

/** The type of a value; undefined for one of several, but that each integer is a number. */
function onlyType(flat: FlatSchema): string | undefined {
  const types = valueTypes(flat);
  if (types.length < 2) return types[0];
  return types.every((type) => type === 'integer' || type === 'number') ? 'number' : undefined;
}

function arrayText(document: OpenApiDocument, flat: FlatSchema, use: Use, actual: GraphQLType | undefined): string {
  const items = itemsOf(flat) ?? true;
  const isNullable = acceptsNull(document, [items]);
  return `[${typeText(document, [items], use, actual)}${isNullable ? '' : '!'}]`;
}

function objectText(
  document: OpenApiDocument,
  flat: FlatSchema,
  schemas: readonly Schema[],
  use: Use,
  named: GraphQLNamedType | undefined,
): string {
  const isShaped = flat.properties.size > 0 || flat.keywords.has('oneOf');
  if (!isShaped || propertyType(flat) !== 'json') return 'JSON';
  const isTyped = isObjectType(named) || isInputObjectType(named);
  const name = nameOfAny(document, isTyped ? schemas : schemas.map(onlyPart));
  if (!isTyped && !hasFields(document, flat, name ?? '', use)) return 'JSON';
  if (name === undefined) return nameIf(isTyped, named) ?? 'an object';
  // A schema that is only used in inputs may keep its name.
  const isOwnName = isInputObjectType(named) && schemaOfInput(named.name, document) === name;
  if (isOwnName) return named.name;
  const isCondition = use === 'input' && name.endsWith('Filter') && conditionSchemas(document).has(name);
  return use === 'output' || isCondition ? name : inputTypeName(document, name);
}

/** Whether a type for a schema has fields. Neither protocol sends what the other way only has, and inputs have no discriminators. */
function hasFields(document: OpenApiDocument, flat: FlatSchema, name: string, use: Use): boolean {
  const variants = discriminated(document, name);
  if (!variants && hasVariants(flat)) return false;
  const hidden = use === 'output' ? 'writeOnly' : 'readOnly';
  const hasShown = (one: FlatSchema): boolean =>
    [...one.properties.values()].some(
      ({ name: property, schemas, holder }) =>
        flatSchema(document, ...schemas).keywords.get(hidden)?.value !== true &&
        !isRestOnly((holder as Readonly<Record<string, unknown>>)[property]) &&
        !(use === 'input' && variants?.property === property),
    );
  return (
    Object.values(variants?.schemas ?? {}).every((one) => hasShown(flatNamed(document, one))) &&
    (variants !== undefined || hasShown(flat))
  );
}

/** An object schema without a name, behind any lists; undefined for what has a name, or is not an object with properties. */
export function inlineObject(document: OpenApiDocument, schemas: readonly Schema[]): FlatSchema | undefined {
  const flat = flatSchema(document, ...schemas);
  const items = itemsOf(flat);
  if (items !== undefined) return inlineObject(document, [items]);
  return flat.properties.size > 0 && nameOfAny(document, schemas) === undefined ? flat : undefined;
}

/** Whether a text of `typeText` is a type that can be written: an inline schema without a type to match has none. */
export const isWritable = (text: string): boolean => !text.includes(' ');

const nameIf = (fits: boolean, type: GraphQLNamedType | undefined): string | undefined =>
  fits ? type?.name : undefined;

/** Whether a schema has alternatives other than null. */
export const hasVariants = ({ nodes }: FlatSchema): boolean =>
  nodes.some((node) => 'oneOf' in node && nullUnion(node as Exclude<Schema, boolean>) === undefined);

/** What beside a reference makes another type of it. */
const SHAPING = ['properties', 'required', 'allOf', 'oneOf', 'anyOf', 'enum', 'const', 'items', 'prefixItems'];

/** The name of a schema's component, through references without more than notes beside them, and unions with null. */
export function nameOfAny(document: OpenApiDocument, schemas: readonly unknown[]): string | undefined {
  return schemas.map((schema) => nameOf(document, schema)).findLast((name) => name !== undefined);
}

/** What stands alone in an `allOf`, which is how notes stand beside a reference before OpenAPI 3.1; else the schema itself. */
function onlyPart(schema: Schema): unknown {
  if (!isSchemaObject(schema)) return schema;
  const { allOf, ...rest } = schema;
  const isPlain = Array.isArray(allOf) && allOf.length === 1 && !SHAPING.some((keyword) => keyword in rest);
  return isPlain ? allOf[0] : schema;
}

function nameOf(document: OpenApiDocument, schema: unknown): string | undefined {
  if (!isSchemaObject(schema)) return undefined;
  if (isReference(schema) && SHAPING.some((keyword) => keyword in schema)) return undefined;
  if (isReference(schema)) return nameOf(document, nodeAt(document, schema.$ref)) ?? schemaNameOf(schema);
  const value = nullUnion(schema);
  return value === undefined ? undefined : nameOf(document, value);
}
