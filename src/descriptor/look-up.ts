/** The value of a key that a map is known to have; a key that it lacks is a programming error. */
export function lookUp<K, V>(map: { get(key: K): V | undefined }, key: K): V {
  const value = map.get(key);
  if (value === undefined) throw new Error(`Nothing is known as ${String(key)}.`);
  return value;
}

/** The only member of a list; undefined where it has none, or several. */
export const onlyOf = <T>(list: readonly T[]): T | undefined => (list.length === 1 ? list[0] : undefined);
