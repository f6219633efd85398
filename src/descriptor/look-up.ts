/** The value of a key that a map is known to have; a key that it lacks is a programming error. */
export function lookUp<K, V>(map: { get(key: K): V | undefined }, key: K): V {
  const value = map.get(key);
  if (value === undefined) throw new Error(`Nothing is known as ${String(key)}.`);
  return value;
}

/** A member that an object has itself, not from `Object.prototype`. */
export const ownMember = <V>(object: Readonly<Record<string, V>>, name: string): V | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;

/** Gives an object a member of any name, `__proto__` included. */
export function setMember(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, configurable: true, enumerable: true, writable: true });
}

/** The only member of a list; undefined where it has none, or several. */
export const onlyOf = <T>(list: readonly T[]): T | undefined => (list.length === 1 ? list[0] : undefined);
