/** The query parameter that takes conditions as JSON, where it has `content`. */
export const FILTER_PARAMETER = 'filter';

/** Comparisons in one filter: more than interfaces for people build. */
export const MAX_FILTER_COMPARISONS = 50;

/** Objects of conditions inside each other, the filter itself included. */
export const MAX_FILTER_DEPTH = 6;
