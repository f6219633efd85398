import type { OpenApiDocument, Schema } from './document.ts';
import { pointerOfFragment, pointerTokens, valueAt } from './json-pointer.ts';

/** Values that a body may have whose schema sets no bound. */
export const MAX_OPEN_VALUES = 10_000;

/** Values that any body may have: the faults of a small one are told one by one. */
const MIN_VALUES = 1_000;

const UNBOUNDED = Number.POSITIVE_INFINITY;

/**
 * The most values that a body may have to be parsed: ten times what its schema can hold, but no fewer than 1,000 and no more
 * than 10,000, or what the schema can hold where that is more.
 */
export function maxBodyValues(document: OpenApiDocument, schema: Schema): number {
  const capacity = bodyCapacity(document, schema);
  if (capacity === UNBOUNDED) return MAX_OPEN_VALUES;
  return Math.min(Math.max(10 * capacity, MIN_VALUES), Math.max(MAX_OPEN_VALUES, capacity));
}

type Keywords = Readonly<Record<string, unknown>>;
type Schemas = readonly Schema[];

const OPENING = ['additionalProperties', 'unevaluatedProperties'];
const NAMING = ['properties', 'patternProperties', ...OPENING];

/**
 * The most values that a body of the schema can have, itself included; infinite where nothing bounds them. An array or
 * object that is empty counts as if it had one.
 */
export function bodyCapacity(document: OpenApiDocument, schema: Schema): number {
  const known = new Map<Schema, number | undefined>();
  const of = (one: Schema): number => (one === false ? 0 : 1 + (within(one) ?? UNBOUNDED));

  /** Undefined where the schema does not say, which leaves it to others that the same value must meet. */
  function within(one: Schema): number | undefined {
    if (typeof one === 'boolean') return one ? undefined : 0;
    if (!known.has(one)) {
      // What contains itself has no bound.
      known.set(one, UNBOUNDED);
      known.set(one, withParts(one));
    }
    return known.get(one);
  }

  function withParts(one: Keywords): number | undefined {
    const { $ref, allOf = [], oneOf, anyOf } = one;
    const parts = [...($ref === undefined ? [] : [nodeAt(document, $ref as string)]), ...(allOf as Schemas)];
    const unions = ([oneOf, anyOf] as (Schemas | undefined)[]).filter((branches) => branches !== undefined);
    const all = [own(one), ...parts.map(within), ...unions.map((branches) => largest(branches.map(within)))];
    const told = all.filter((count) => count !== undefined);
    return told.length === 0 ? undefined : sum(told);
  }

  function own(one: Keywords): number | undefined {
    const types = [one['type'] ?? []].flat();
    if (isScalar(one, types)) return 0;
    const [isNamed, isList] = [NAMING.some((keyword) => keyword in one), 'items' in one || types.includes('array')];
    if (!isNamed && !isList) return undefined;
    if (types.length === 0 || types.includes('object') !== isNamed || 'if' in one || 'dependentSchemas' in one)
      return UNBOUNDED;
    return Math.max(1, (isNamed ? inObject(one) : 0) + (isList ? inArray(one) : 0));
  }

  function inObject({
    properties = {},
    patternProperties = {},
    maxProperties = UNBOUNDED,
    ...others
  }: Keywords): number {
    const open = OPENING.map((keyword) => (others[keyword] ?? false) as Schema);
    const unnamed = [...open, ...Object.values(patternProperties as object)].map(of);
    const named = Object.values(properties as Readonly<Record<string, Schema>>).map(of);
    return sum(named) + times(maxProperties as number, Math.max(...unnamed));
  }

  function inArray({ items = true, prefixItems = [], maxItems = UNBOUNDED }: Keywords): number {
    return sum((prefixItems as Schemas).map(of)) + times(maxItems as number, of(items as Schema));
  }

  return of(schema);
}

function isScalar(schema: Keywords, types: readonly unknown[]): boolean {
  const literals = ('const' in schema ? [schema['const']] : schema['enum']) as readonly unknown[] | undefined;
  if (literals?.every((value) => typeof value !== 'object' || value === null)) return true;
  return types.length > 0 && !types.includes('object') && !types.includes('array');
}

const nodeAt = (document: OpenApiDocument, reference: string): Schema =>
  (valueAt(document, pointerTokens(pointerOfFragment(reference.slice(1)) ?? '')) ?? true) as Schema;

const largest = (branches: readonly (number | undefined)[]): number | undefined =>
  branches.includes(undefined) ? undefined : Math.max(...(branches as number[]));

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** None of what is unbounded is nothing. */
const times = (count: number, each: number): number => (count === 0 || each === 0 ? 0 : count * each);
