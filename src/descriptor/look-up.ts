/** The value of a key that a map is known to have; a key that it lacks is a programming error. */
export function lookUp<K, V>(map: { get(key: K): V | undefined }, key: K): V {
  const value = map.get(key);
  if (value === undefined) throw new Error(`Nothing is known as ${String(key)}.`);
  return value;
}
