import { lookUp } from '../../descriptor/look-up.ts';
import type { PropertyType } from '../../descriptor/resource.ts';
import type { FlatSchema } from './flat-schema.ts';

const STRING_FORMATS: Readonly<Record<string, PropertyType>> = {
  uuid: 'uuid',
  date: 'date',
  'date-time': 'date-time',
  int64: 'int64',
  decimal: 'decimal',
};

/** How the conventions keep a value of this schema. */
export function propertyType(schema: FlatSchema): PropertyType {
  const types = valueTypes(schema);
  const format = schema.keywords.get('format')?.value;
  if (types.length !== 1) return 'json';
  switch (types[0]) {
    case 'string':
      return STRING_FORMATS[String(format)] ?? 'string';
    case 'integer':
    case 'number':
    case 'boolean':
      return types[0];
    default:
      return 'json';
  }
}

/** The JSON types a schema allows besides `null`; those of its `enum` or `const` when it names none. */
export function valueTypes(schema: FlatSchema): readonly string[] {
  const type = schema.keywords.get('type')?.value;
  if (type !== undefined) return [type].flat().map(String).filter(notNull);
  const values = schema.keywords.has('const')
    ? [lookUp(schema.keywords, 'const').value]
    : [schema.keywords.get('enum')?.value ?? []].flat();
  return [...new Set(values.map(jsonType))].filter(notNull);
}

/** The type as an author writes it: `string/date`, `integer`, `array`. */
export function typeName(schema: FlatSchema): string {
  const types = valueTypes(schema);
  const format = schema.keywords.get('format')?.value;
  if (types.length === 0) return schema.keywords.has('oneOf') ? 'oneOf' : 'any value';
  return format === undefined ? types.join(' or ') : `${types.join(' or ')}/${String(format)}`;
}

/** The strings of an `enum` of strings (`null` aside); undefined if it has none. */
export function enumValues(schema: FlatSchema): readonly string[] | undefined {
  const values = schema.keywords.get('enum')?.value;
  if (!Array.isArray(values)) return undefined;
  const present = values.filter((value) => value !== null);
  return present.length > 0 && present.every((value) => typeof value === 'string') ? present : undefined;
}

/** The narrowest JSON type of a value. */
export function jsonType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

function notNull(type: string): boolean {
  return type !== 'null';
}
