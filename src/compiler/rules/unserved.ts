import type { RowCondition } from '../../descriptor/row-access.ts';

/**
 * Whether indexes lead to the rows for which a condition holds, so that a list need not read the others. Equalities,
 * lists of values, ranges and references have indexes; what is negated or contained in a text has none.
 */
export function isServed(condition: RowCondition): boolean {
  switch (condition.kind) {
    case 'all':
      return condition.conditions.some(isServed);
    case 'any':
      return condition.conditions.every(isServed);
    case 'not':
      return condition.condition.kind === 'isNull';
    case 'compare':
      return condition.operator !== 'contains';
    case 'in':
    case 'isNull':
    case 'tenant':
      return true;
    case 'reference':
    case 'some':
      return isServed(condition.condition);
  }
}
