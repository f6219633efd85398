import type { Schema } from '../document.ts';
import type { PropertyDescriptor, PropertyType } from '../resource.ts';
import type { RowShapes } from './row-shapes.ts';
import type { SchemaDialect } from './schema-dialect.ts';

const TYPES: readonly PropertyType[] = [
  ...(['string', 'uuid', 'int64', 'integer', 'number'] as const),
  ...(['decimal', 'boolean', 'date', 'date-time', 'json'] as const),
];

/**
 * The form in which the values of a column are stored: one of those that have its type in the database, by the record of the
 * contract if there is one. Undefined: no property is stored so.
 */
export function storedType(
  { typeOf }: Pick<SchemaDialect, 'typeOf'>,
  live: string,
  property: PropertyDescriptor,
  recorded: PropertyType | undefined,
): PropertyType | undefined {
  const possible = TYPES.filter((type) => typeOf({ ...property, type }) === live);
  const isPossible = (type: PropertyType | undefined): boolean => type !== undefined && possible.includes(type);
  if (isPossible(recorded)) return recorded;
  return isPossible(property.type) ? property.type : possible[0];
}

/** The form that a database records for a column; a Lockstep that kept no columns recorded schemas alone. */
export function recordedType(
  shapes: RowShapes | undefined,
  table: string,
  { column, name }: PropertyDescriptor,
): PropertyType | undefined {
  const known = shapes?.stored?.[table]?.[column] ?? shapes?.columns?.[table]?.[column]?.type;
  if (known || !shapes || shapes.columns) return known;
  const schema = shapes.tables[table]?.properties[name]?.schema;
  return schema === undefined ? undefined : typeOfSchema(schema, shapes.definitions);
}

const FORMATS: Readonly<Record<string, PropertyType>> = {
  uuid: 'uuid',
  date: 'date',
  'date-time': 'date-time',
  int64: 'int64',
  decimal: 'decimal',
};

/** The type of a property with this schema, as the compiler describes it. */
function typeOfSchema(schema: Schema, definitions: RowShapes['definitions']): PropertyType {
  const { type, format, enum: values = [], const: only } = keywordsOf(schema, definitions);
  const named = [
    type ?? [values, only ?? []].flat().map((value) => (Number.isInteger(value) ? 'integer' : typeof value)),
  ];
  const [one, ...others] = [...new Set(named.flat())].filter((name) => name !== 'null' && name !== 'object');
  if (others.length > 0) return 'json';
  if (one === 'string') return FORMATS[String(format)] ?? 'string';
  return one === 'integer' || one === 'number' || one === 'boolean' ? one : 'json';
}

/** The keywords of a schema, its reference, its `allOf`, and the other branch of "or null" laid over each other. */
function keywordsOf(
  schema: unknown,
  definitions: RowShapes['definitions'],
  depth = 0,
): Readonly<Record<string, unknown>> {
  if (typeof schema !== 'object' || schema === null || depth > MAX_DEPTH) return {};
  const { $ref, allOf = [], oneOf, anyOf, ...own } = schema as Readonly<Record<string, unknown>>;
  const branches = ((oneOf ?? anyOf ?? []) as readonly Schema[]).filter(
    (one) => one !== true && one !== false && one['type'] !== 'null',
  );
  const parts = [definitions[String($ref)], allOf, branches.length === 1 ? branches : []].flat();
  return Object.assign({}, ...parts.map((part) => keywordsOf(part, definitions, depth + 1)), own);
}

const MAX_DEPTH = 20;
