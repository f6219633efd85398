import type { OpenApiDocument, Schema } from '../../descriptor/document.ts';
import type { FlatSchema } from '../json-schema/flat-schema.ts';
import { flatSchema } from '../model/schemas.ts';

/** A keyword by which one schema takes more than another, and where. */
interface Excess {
  readonly taken: FlatSchema;
  readonly keyword: string;
  /** `address.city` */
  readonly path: string;
}

/** The first keyword by which one schema certainly takes more than another. */
export function excessOf(
  document: OpenApiDocument,
  taken: FlatSchema,
  kept: FlatSchema,
  path: string,
): Excess | undefined {
  if (FINITE.some((keyword) => taken.keywords.has(keyword))) return undefined;
  const keyword = Object.keys(EXCEEDS).find((one) => EXCEEDS[one]!(taken, kept));
  return keyword === undefined ? excessInside(document, taken, kept, path) : { taken, keyword, path };
}

/** In the members of an object, and in the entries of a list. */
function excessInside(
  document: OpenApiDocument,
  taken: FlatSchema,
  kept: FlatSchema,
  path: string,
): Excess | undefined {
  if (taken.keywords.has('oneOf') || taken.keywords.has('anyOf')) return undefined;
  for (const [name, { schemas }] of taken.properties) {
    const own = kept.properties.get(name);
    const [inner, outer] = [flatSchema(document, ...schemas), own && flatSchema(document, ...own.schemas)];
    const found =
      outer && outer.nodes.at(-1) !== inner.nodes.at(-1) && excessOf(document, inner, outer, `${path}.${name}`);
    if (found) return found;
  }
  const [items, keptItems] = [taken, kept].map((flat) => flat.keywords.get('items')?.value as Schema | undefined);
  if (items === undefined || keptItems === undefined || items === keptItems) return undefined;
  return excessOf(document, flatSchema(document, items), flatSchema(document, keptItems), `${path}[]`);
}

/** Which values there are is compared by themselves. */
const FINITE = ['enum', 'const'];

type Exceeds = (taken: FlatSchema, kept: FlatSchema) => boolean;

/** By each keyword, whether the first schema certainly takes what the second does not. */
const EXCEEDS: Readonly<Record<string, Exceeds>> = {
  pattern: (taken, kept) => valuesOf(kept, 'pattern').length > 0 && !isText(taken),
  maxLength: (taken, kept) => !isText(taken) && atMost(taken, 'maxLength') > atMost(kept, 'maxLength'),
  minLength: (taken, kept) => !isText(taken) && atLeast(taken, 'minLength', 0) < atLeast(kept, 'minLength', 0),
  maximum: (taken, kept) => atMost(taken, 'maximum', 'exclusiveMaximum') > atMost(kept, 'maximum'),
  exclusiveMaximum: (taken, kept) =>
    atMost(taken, 'exclusiveMaximum') > atMost(kept, 'exclusiveMaximum') &&
    atMost(taken, 'maximum') >= atMost(kept, 'exclusiveMaximum'),
  minimum: (taken, kept) => lowest(taken) < atLeast(kept, 'minimum'),
  exclusiveMinimum: (taken, kept) =>
    atLeast(taken, 'exclusiveMinimum') < atLeast(kept, 'exclusiveMinimum') &&
    atLeast(taken, 'minimum') <= atLeast(kept, 'exclusiveMinimum'),
  multipleOf: (taken, kept) => valuesOf(kept, 'multipleOf').length > 0 && valuesOf(taken, 'multipleOf').length === 0,
  maxItems: (taken, kept) => atMost(taken, 'maxItems') > atMost(kept, 'maxItems'),
  minItems: (taken, kept) => atLeast(taken, 'minItems', 0) < atLeast(kept, 'minItems', 0),
  uniqueItems: (taken, kept) =>
    valuesOf(kept, 'uniqueItems').includes(true) && !valuesOf(taken, 'uniqueItems').includes(true),
};

/** What is written of a keyword in all schemas that apply. */
export const valuesOf = ({ nodes }: FlatSchema, keyword: string): readonly unknown[] =>
  nodes.map((node) => (node as Readonly<Record<string, unknown>>)[keyword]).filter((value) => value !== undefined);

const atMost = (schema: FlatSchema, ...keywords: readonly string[]): number =>
  Math.min(...keywords.flatMap((keyword) => valuesOf(schema, keyword).map(Number)));

const atLeast = (schema: FlatSchema, keyword: string, least = -Infinity): number =>
  Math.max(least, ...valuesOf(schema, keyword).map(Number));

const lowest = (schema: FlatSchema): number =>
  Math.max(atLeast(schema, 'minimum'), atLeast(schema, 'exclusiveMinimum'));

/** Whether a pattern or a format says what texts look like, which may be narrower than any other keyword. */
const isText = (schema: FlatSchema): boolean =>
  valuesOf(schema, 'pattern').length > 0 || valuesOf(schema, 'format').length > 0;
