import { compares } from '../../descriptor/filters.ts';
import type { PropertyDraft } from './draft.ts';

/** Whether values of a property can be compared by an operator of filters. */
export const appliesTo = (operator: string, { type, flat }: PropertyDraft): boolean =>
  compares(operator, type, flat.keywords.has('enum'));
