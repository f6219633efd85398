import { dateOf, isFinerThanMs } from '../../../descriptor/formats/date-time.ts';
import type { Comparison } from '../../storage/store.ts';

/**
 * The condition that compares stored times, which have milliseconds, with one that may be finer: between two milliseconds,
 * whatever is later than the one before is also later than the given time, and no row is equal to it.
 */
export function timeCondition(property: string, operator: Comparison['operator'], time: string): Comparison {
  const value = dateOf(time).toISOString();
  if (!isFinerThanMs(time)) return { property, operator, value };
  switch (operator) {
    case 'gt':
    case 'gte':
      return { property, operator: 'gt', value };
    case 'lt':
    case 'lte':
      return { property, operator: 'lte', value };
    default:
      return { property, operator: 'in', value: [] };
  }
}
