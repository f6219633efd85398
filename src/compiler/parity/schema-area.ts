import { type FlatProperty, flattenSchema } from '../json-schema/flat-schema.ts';
import type { Parity } from './parity.ts';

/** Whether a keyword of a property's schema is true. */
export function hasFlag({ document }: Parity, { schemas }: FlatProperty, keyword: string): boolean {
  return flattenSchema(document, ...schemas).keywords.get(keyword)?.value === true;
}

/** The key of the resource that a schema belongs to; the schema's own name if it belongs to none. */
export function areaOf({ resources }: Parity, schema: string): string {
  const owner = resources.find(({ schemas }) => Object.values(schemas).includes(schema));
  return owner?.key ?? schema;
}
