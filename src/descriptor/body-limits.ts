/** Values that a body may have whose schema sets no bound. */
export const MAX_OPEN_VALUES = 10_000;

/** Bytes of all bodies that an instance receives at the same time; its workers divide them. */
export const MAX_BODIES_BYTES = 64 * 2 ** 20;
