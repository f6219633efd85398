import { shortened } from './indexes.ts';
import { type PropertyDescriptor, propertyNamed, type ResourceDescriptor } from './resource.ts';

/** A text has this many characters before an index of trigrams finds anything by it. */
export const TRIGRAM = 3;

/** An index by the trigrams of a column, which finds the rows whose text contains another. */
export interface Search {
  readonly name: string;
  readonly property: PropertyDescriptor;
}

/** An index by the words of several columns together, which the list's `search` asks. */
export interface WordSearch {
  readonly name: string;
  readonly properties: readonly PropertyDescriptor[];
  /** The properties of each level, which the rank of a row is counted by: one each, and the rest in the last. */
  readonly levels: readonly (readonly PropertyDescriptor[])[];
}

/** How the names of these indexes end. No column has two underscores in a row, so that no other index is named so. */
export const WORDS_SUFFIX = '__words';

/** How they did before, when they did not know in which property a word stands. */
export const UNRANKED_SUFFIX = '_words';

/** A page is read rank by rank, so that there are few. */
const MAX_RANKS = 4;

/** That of a list which is searched. */
export function wordSearchOf({ table, list, properties: all }: ResourceDescriptor): WordSearch | undefined {
  const properties = list?.search?.map((name) => propertyNamed(all, name));
  if (!properties) return undefined;
  return {
    name: shortened([table, ...properties.map(({ column }) => column)].join('_'), WORDS_SUFFIX),
    properties,
    levels: levelsOf(properties),
  };
}

/** What is searched, by level. */
export function levelsOf<P>(properties: readonly P[]): readonly (readonly P[])[] {
  const last = Math.min(properties.length, MAX_RANKS) - 1;
  return [...properties.slice(0, last).map((property) => [property]), properties.slice(last)];
}

export const searchName = (table: string, column: string): string => shortened(`${table}_${column}`, '_search');

/** One for each property that a filter searches with `contains`. */
export function searchesOf({ table, list, properties }: ResourceDescriptor): Search[] {
  const filters = list?.filters ?? [];
  const names = filters.filter(({ operators }) => operators.includes('contains')).map(({ property }) => property);
  return [...new Set(names)].map((name) => {
    const property = propertyNamed(properties, name);
    return { name: searchName(table, property.column), property };
  });
}
