import type { RowCondition } from '../../../descriptor/row-access.ts';
import type { PropertyDraft } from '../draft.ts';

/** A condition by an operator, with no value of its own: what indexes depend on. */
export function placeholder({ name: property }: PropertyDraft, word: string): RowCondition {
  switch (word) {
    case 'isNull':
      return { kind: 'isNull', property };
    case 'in':
      return { kind: 'in', property, values: [] };
    case 'eq':
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
    case 'contains':
      return { kind: 'compare', property, operator: word, value: { literal: '' } };
    default:
      throw new Error(`${word} is not an operator of filters.`);
  }
}
