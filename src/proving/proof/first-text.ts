/** The first text that one of the values gives. */
export function firstText<T>(values: readonly T[], textOf: (value: T) => string | undefined): string | undefined {
  for (const value of values) {
    const text = textOf(value);
    if (text !== undefined) return text;
  }
  return undefined;
}
