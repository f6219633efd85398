import { enumValues } from '../../compiler/json-schema/property-type.ts';
import type { PropertyDraft } from '../../compiler/model/draft.ts';
import type { Schema } from '../../descriptor/document.ts';
import type { Json } from './openapi-resource.ts';

/** A filter that takes the value itself. */
export const equalFilter = (name: string, description: string, schema: Json): Json => ({
  name,
  in: 'query',
  description,
  schema,
});

/** A filter that takes some values, with commas between. */
export const oneOfFilter = (name: string, items: Json, maxItems: number): Json => ({
  name,
  in: 'query',
  description: 'Only entries with one of these values.',
  style: 'form',
  explode: false,
  schema: { type: 'array', minItems: 1, maxItems, items },
});

/** A filter that compares by operators: `pages[gte]=100`. */
export const comparedFilter = (name: string, operators: Readonly<Record<string, Json>>): Json => ({
  name,
  in: 'query',
  description: 'Only entries whose value is in this range.',
  style: 'deepObject',
  explode: true,
  schema: { type: 'object', properties: operators, additionalProperties: false },
});

const KEPT = ['type', 'format', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum', 'enum', '$ref'];
/** The most values of a derived filter that are not those of an enum. */
export const MAX_VALUES = 20;

/** What a filter takes: the value, some values, or operators with values. */
export type FilterShape = 'equal' | 'in' | readonly string[];

/** The filter of a list by a property, whose bounds it has. */
export function filterParameter(property: PropertyDraft, shape: FilterShape): Json {
  const { name, flat } = property;
  const schema = valueSchema(property);
  if (shape === 'in') return oneOfFilter(name, schema, enumValues(flat)?.length ?? MAX_VALUES);
  if (shape === 'equal') return equalFilter(name, 'Only entries with this value.', schema);
  return comparedFilter(name, Object.fromEntries(shape.map((one) => [one, operandSchema(property, one)])));
}

/** What an operator of a filter by a property takes. */
export const operandSchema = (property: PropertyDraft, operator: string): Json =>
  operator === 'contains' ? { type: 'string', minLength: 3, maxLength: 200 } : valueSchema(property);

/** The schema of the property's values, without null and without what concerns the property alone. */
export function valueSchema({ name, holder, flat }: PropertyDraft): Json {
  const own = (holder as Readonly<Record<string, Schema>>)[name] as Json;
  const branches = (own['oneOf'] ?? []) as readonly Json[];
  const reference = [own, ...branches].find((schema) => typeof schema['$ref'] === 'string');
  if (reference) return { $ref: reference['$ref'] };
  const kept = KEPT.flatMap((keyword) =>
    flat.keywords.has(keyword) ? [[keyword, flat.keywords.get(keyword)!.value]] : [],
  );
  const schema = Object.fromEntries(kept) as Json;
  const type = [schema['type']].flat().filter((one) => one !== 'null');
  return { ...schema, type: type.length === 1 ? type[0] : type };
}
