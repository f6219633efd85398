import { flattenSchema, type PropertySite } from '../json-schema/flat-schema.ts';
import type { Parity } from './parity.ts';

/** Whether a keyword of a property's schema is true. */
export function siteFlag({ document }: Parity, { schemas }: PropertySite, keyword: string): boolean {
  return flattenSchema(document, ...schemas).keywords.get(keyword)?.value === true;
}

/** The resource that a schema belongs to; one that several share is a room of its own. */
export function areaOf({ resources }: Parity, schema: string): string {
  const owner = resources.find(({ schemas }) => Object.values(schemas).includes(schema));
  return owner?.key ?? schema;
}
