import { isPlainObject } from '../../../descriptor/plain-object.ts';

/** Why a value is not JSON (RFC 8259), so that what is read back would be another; undefined if it is. Absent properties may be undefined. */
export function jsonFault(value: unknown, place: string, above: readonly unknown[] = []): string | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `${place} is ${value}, which is not JSON.`;
  if (above.includes(value)) return `${place} is within itself, which is not JSON.`;
  const within = [...above, value];
  if (Array.isArray(value))
    return firstOf(
      value.map((one, i) => [`${place}[${i}]`, one]),
      within,
    );
  if (!isPlainObject(value) || !isOwn(value)) return `${place} is ${kindOf(value)}, which is not JSON.`;
  return firstOf(
    Object.entries(value).flatMap(([name, one]) => (one === undefined ? [] : [[`${place}.${name}`, one]])),
    within,
  );
}

/** A value of another class is written by what JSON knows of it, which may be nothing. */
const isOwn = (value: object): boolean => [Object.prototype, null].includes(Object.getPrototypeOf(value));

function firstOf(members: readonly (readonly [string, unknown])[], above: readonly unknown[]): string | undefined {
  for (const [place, member] of members) {
    const fault = jsonFault(member, place, above);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

const kindOf = (value: unknown): string =>
  typeof value === 'object'
    ? `of the class ${value!.constructor?.name}`
    : value === undefined
      ? 'undefined'
      : `a ${typeof value}`;
