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
