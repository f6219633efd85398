/** The query parameter that takes conditions as JSON, where it has `content`. */
export const FILTER_PARAMETER = 'filter';

/** Comparisons in one filter: more than interfaces for people build. */
export const MAX_FILTER_COMPARISONS = 50;

/** Objects of conditions inside each other, the filter itself included. */
export const MAX_FILTER_DEPTH = 6;

/** The operators that compare a property with values of its type. */
export const VALUE_OPERATORS: readonly string[] = ['eq', 'gt', 'gte', 'lt', 'lte', 'in', 'contains'];
