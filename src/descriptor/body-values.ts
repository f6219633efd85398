/** Values that a body may have whose schema sets no bound. */
export const MAX_OPEN_VALUES = 10_000;
