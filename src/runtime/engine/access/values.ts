import { isDate, isDateTime, isFinerThanMs } from '../../../descriptor/formats/date-time.ts';
import { isDecimal, isInt64, isUuid } from '../../../descriptor/formats/formats.ts';
import type { PropertyDescriptor } from '../../../descriptor/resource.ts';
import type { RuleValue } from '../../../descriptor/row-access.ts';
import type { Claims, Principal } from '../../auth/principal.ts';
import type { StoredValue } from '../../storage/store.ts';
import { normalize } from '../resource/normalize.ts';

/** A value that a row may have, for one caller; undefined where a claim is missing, or does not have the type of the property. */
export type ReadValue = (claims: Claims | undefined) => StoredValue | undefined;

/** Several values: a claim that is a list stands for each of its own. Undefined where one of them is. */
export type ReadValues = (claims: Claims | undefined) => readonly StoredValue[] | undefined;

/**
 * The claims that rules read; `sub` is the subject of credentials other than tokens, too. Undefined for anonymous
 * callers.
 */
export const claimsOf = (principal: Principal | undefined): Claims | undefined =>
  principal && (principal.claims ?? { sub: principal.subject });

/** Reads a value for a property. Throws for a literal that does not fit, which the compiler refuses. */
export function ruleValue(property: PropertyDescriptor, value: RuleValue): ReadValue {
  if ('claim' in value) return (claims) => storedValue(property, claimAt(claims, value.claim));
  const literal = storedValue(property, value.literal);
  if (literal === undefined) throw new Error(`${value.literal} is no value of ${property.name}.`);
  return () => literal;
}

/** Reads the values of a list for a property. Throws what `ruleValue` throws. */
export function ruleValues(property: PropertyDescriptor, values: readonly RuleValue[]): ReadValues {
  const readers = values.map((value) =>
    'claim' in value ? claimedValues(property, value.claim) : one(property, value),
  );
  return (claims) => {
    const found = new Set<StoredValue>();
    for (const read of readers) {
      const some = read(claims);
      if (!some) return undefined;
      for (const value of some) found.add(value);
    }
    return [...found].sort();
  };
}

function one(property: PropertyDescriptor, value: RuleValue): ReadValues {
  const read = ruleValue(property, value);
  return (claims) => [read(claims)!];
}

function claimedValues(property: PropertyDescriptor, path: readonly string[]): ReadValues {
  return (claims) => {
    const claim = claimAt(claims, path);
    const values = (Array.isArray(claim) ? claim : [claim]).map((value) => storedValue(property, value));
    return values.every((value) => value !== undefined) ? values : undefined;
  };
}

/** The value of a claim by its path; undefined where the claims lack it. */
export function claimAt(claims: Claims | undefined, path: readonly string[]): unknown {
  let at: unknown = claims;
  for (const name of path) {
    if (typeof at !== 'object' || at === null || Array.isArray(at) || !Object.hasOwn(at, name)) return undefined;
    at = (at as Claims)[name];
  }
  return at;
}

/** A value as rows store it; undefined for one that no row can have. */
function storedValue(property: PropertyDescriptor, value: unknown): StoredValue | undefined {
  switch (property.type) {
    case 'integer':
      return Number.isSafeInteger(value) ? (value as number) : undefined;
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
    case 'boolean':
      return typeof value === 'boolean' ? Number(value) : undefined;
    case 'json':
      return undefined;
    default:
      return textOf(property, typeof value === 'number' ? digitsOf(property, value) : value);
  }
}

/** Claims and literals may have such numbers as numbers; a double that rounds them does not have their value. */
function digitsOf({ type }: PropertyDescriptor, value: number): string | undefined {
  if (type === 'int64') return Number.isSafeInteger(value) ? String(value) : undefined;
  return type === 'decimal' ? String(value) : undefined;
}

function textOf(property: PropertyDescriptor, value: unknown): string | undefined {
  if (typeof value !== 'string' || !isOf(property, value)) return undefined;
  return normalize(property, value) as string;
}

function isOf({ type }: PropertyDescriptor, text: string): boolean {
  switch (type) {
    case 'uuid':
      return isUuid(text);
    case 'int64':
      return isInt64(text);
    case 'decimal':
      return isDecimal(text);
    case 'date':
      return isDate(text);
    case 'date-time':
      // No row has a time that is finer than those that rows have.
      return isDateTime(text) && !isFinerThanMs(text);
    default:
      // No database stores other texts.
      return text.isWellFormed() && !text.includes('\0');
  }
}
