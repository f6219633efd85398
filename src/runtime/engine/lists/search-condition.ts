import { askedText } from '../../../descriptor/words/asked-words.ts';
import { uninflected } from '../../../descriptor/words/inflections.ts';
import { termsOf } from '../../../descriptor/words/words.ts';
import type { Comparison } from '../../storage/store.ts';

/**
 * The rows that have all words of a search in these properties; none has those of a search without words. Searches for
 * the same words are the same condition, however they are written, so that cursors go with all of them.
 */
export function searchCondition(
  [property = 'id']: readonly string[],
  search: string,
  inflect = uninflected,
): Comparison {
  const terms = termsOf(search);
  if (terms.length === 0) return { property: 'id', operator: 'in', value: [] };
  return { property, operator: 'search', value: askedText({ terms: inflect(terms) }) };
}
