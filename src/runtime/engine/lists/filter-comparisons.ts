import { dateOf, isFinerThanMs } from '../../../descriptor/formats/date-time.ts';
import { childPointer } from '../../../descriptor/json-pointer.ts';
import type { FilterDescriptor, PropertyDescriptor } from '../../../descriptor/resource.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { Comparison, StoredValue } from '../../storage/store.ts';
import { normalize } from '../resource/normalize.ts';
import { validationFailed } from '../resource/validated.ts';
import { timeCondition } from './time-conditions.ts';

type Query = Readonly<Record<string, unknown>>;

/** How a value compares a property. */
type Compared = Pick<FilterDescriptor, 'shape' | 'operators'>;

/** The error for a filter, or a place in it. */
export const refused = (parameter: string, detail: string): ApiError => validationFailed([{ parameter, detail }]);

/** Callers write `isNull`, even if a schema allows null: a variable whose value is null must not find other rows. */
export function refuseNull(value: unknown, place: string): void {
  if (value === null) throw refused(place, 'must not be null: `isNull` asks for what has no value');
  if (typeof value === 'object' && !Array.isArray(value))
    for (const [word, operand] of Object.entries(value))
      if (typeof operand === 'object') refuseNull(operand, childPointer(place, word));
}

/** The comparisons of a property that a value asks for, which has been validated: all of them hold. */
export function comparisonsOf(descriptor: PropertyDescriptor, filter: Compared, value: unknown): Comparison[] {
  const { name: property, type } = descriptor;
  const { shape, operators } = filter;
  if (type === 'date-time') return timeConditions(property, filter, value);
  const stored = (one: unknown) => storedValue(descriptor, one);
  switch (shape) {
    case 'eq':
      return [{ property, operator: 'eq', value: stored(value) }];
    case 'in':
      return [oneOf(property, [...new Set((value as readonly unknown[]).map(stored))])];
    case 'object': {
      const tests = value as Query;
      return operators
        .filter((operator) => tests[operator] !== undefined)
        .map((operator) => ({ property, operator, value: stored(tests[operator]) }));
    }
  }
}

function timeConditions(property: string, { shape, operators }: Compared, value: unknown): Comparison[] {
  switch (shape) {
    case 'eq':
      return [timeCondition(property, 'eq', value as string)];
    case 'in': {
      // No row has the others.
      const times = (value as readonly string[]).filter((time) => !isFinerThanMs(time));
      return [oneOf(property, [...new Set(times.map((time) => dateOf(time).toISOString()))])];
    }
    case 'object': {
      const tests = value as Readonly<Record<string, string | undefined>>;
      return operators
        .filter((operator) => tests[operator] !== undefined)
        .map((operator) => timeCondition(property, operator, tests[operator]!));
    }
  }
}

/** A list of one value is that value: the list is the one of a connection below it, and its cursors are the same. */
function oneOf(property: string, values: readonly StoredValue[]): Comparison {
  const [only] = values;
  return values.length === 1
    ? { property, operator: 'eq', value: only! }
    : { property, operator: 'in', value: values.toSorted() };
}

function storedValue(property: PropertyDescriptor, value: unknown): StoredValue {
  const normal = normalize(property, value);
  return typeof normal === 'boolean' ? Number(normal) : (normal as StoredValue);
}
