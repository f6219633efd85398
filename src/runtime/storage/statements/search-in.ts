import type { Search } from '../../../descriptor/searches.ts';
import type { Table } from '../../../descriptor/table.ts';
import type { Condition } from '../store.ts';
import { width } from './shapes.ts';

/** The first condition that an index of trigrams can help with, and the position of its text among the arguments. */
export function searchIn(
  table: Table,
  conditions: readonly Condition[],
): { readonly search: Search; readonly slot: number } | undefined {
  let slot = 0;
  for (const condition of conditions) {
    if (condition.kind === undefined && condition.operator === 'contains') {
      const search = table.searches.find(({ property }) => property.name === condition.property);
      if (search) return { search, slot };
    }
    slot += width(condition);
  }
  return undefined;
}
