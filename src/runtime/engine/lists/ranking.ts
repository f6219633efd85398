import { listOf } from '../../../descriptor/resource.ts';
import { levelsOf } from '../../../descriptor/searches.ts';
import { askedIn, askedText } from '../../../descriptor/words/asked-words.ts';
import { rankOf } from '../../../descriptor/words/words.ts';
import type { Comparison, Row } from '../../storage/store.ts';
import type { Resource } from '../resource/resource.ts';

/**
 * The order of what a search finds: the rank of a row is the number of properties, from the first on, that it takes to have
 * all words. It depends on the row alone, so that nothing that others write, or that is hidden, moves a row.
 */
export interface Ranking {
  /** The condition of the list that finds the rows of all ranks. */
  readonly search: Comparison;
  readonly count: number;
  /** The condition that finds those of one, from 1. */
  only(rank: number): Comparison;
  rankOf(row: Row): number;
}

/** Undefined where all rows have the same rank. */
export function rankingOf(resource: Resource, search: Comparison): Ranking | undefined {
  const levels = levelsOf(listOf(resource.descriptor).search!);
  if (search.operator !== 'search' || levels.length === 1) return undefined;
  const { terms } = askedIn(search.value as string);
  const positions = levels.map((names) => names.map((name) => resource.index(name)));
  return {
    search,
    count: levels.length,
    only: (rank) => ({ ...search, value: askedText({ rank, terms }) }),
    rankOf: (row) =>
      rankOf(
        positions.map((level) => level.map((i) => row[i] ?? '').join(' ')),
        terms,
      ),
  };
}
