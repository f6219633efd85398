import { shortened } from './indexes.ts';
import type { PropertyDescriptor } from './resource.ts';
import { columnOf, type Table } from './table.ts';

/** A text has this many characters before an index of trigrams finds anything by it. */
export const TRIGRAM = 3;

/** An index by the trigrams of a column, which finds the rows whose text contains another. */
export interface Search {
  readonly name: string;
  readonly property: PropertyDescriptor;
}

/** One for each property that a filter searches with `contains`. */
export function searchesOf(table: Table): Search[] {
  const filters = table.descriptor.list?.filters ?? [];
  const names = filters.filter(({ operators }) => operators.includes('contains')).map(({ property }) => property);
  return [...new Set(names)].map((name) => {
    const property = columnOf(table, name);
    return { name: shortened(`${table.name}_${property.column}`, '_search'), property };
  });
}
