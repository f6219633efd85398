import type { FilterOperator, PropertyType } from '../../descriptor/resource.ts';
import type { PropertyDraft } from './draft.ts';

const RANGE_OPERATORS: readonly string[] = ['gt', 'gte', 'lt', 'lte'] satisfies FilterOperator[];
const RANGE_TYPES: readonly PropertyType[] = ['string', 'uuid', 'integer', 'int64', 'number', 'date', 'date-time'];

/** Whether values of a property can be compared by an operator of filters. */
export function appliesTo(operator: string, { type, flat }: PropertyDraft): boolean {
  if (operator === 'contains') return type === 'string' && !flat.keywords.has('enum');
  return !RANGE_OPERATORS.includes(operator) || (RANGE_TYPES.includes(type) && !flat.keywords.has('enum'));
}
