/** What an iteration gives, to its end. */
export async function all<T>(iterable: AsyncIterable<T>): Promise<T[]> {
  const entries: T[] = [];
  for await (const entry of iterable) entries.push(entry);
  return entries;
}
