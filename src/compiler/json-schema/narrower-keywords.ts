import { isDeepStrictEqual } from 'node:util';
import type { Narrowed } from './narrowed.ts';
import { typesOf } from './value-schema.ts';

export const hasType = (schema: Narrowed, type: string): boolean => typesOf(schema).includes(type);

type Check = (narrow: Narrowed, wide: Narrowed) => boolean;

const atLeast =
  (keyword: 'minLength' | 'minItems' | 'minProperties'): Check =>
  (narrow, wide) =>
    sizeOf(narrow, keyword) >= (wide[keyword] ?? 0);
const atMost =
  (keyword: 'maxLength' | 'maxItems' | 'maxProperties'): Check =>
  (narrow, wide) =>
    sizeOf(narrow, keyword) <= (wide[keyword] ?? Number.POSITIVE_INFINITY);

/** The bound, or the size of the only value. */
function sizeOf(
  { enum: values, ...schema }: Narrowed,
  keyword: `${'min' | 'max'}${'Length' | 'Items' | 'Properties'}`,
): number {
  const [value] = values ?? [];
  if (typeof value === 'string') return [...value].length;
  if (Array.isArray(value)) return value.length;
  if (typeof value === 'object' && value !== null) return Object.keys(value).length;
  return schema[keyword] ?? (keyword.startsWith('min') ? 0 : Number.POSITIVE_INFINITY);
}

const CHECKS: Readonly<Record<string, readonly Check[]>> = {
  string: [
    atLeast('minLength'),
    atMost('maxLength'),
    (narrow, wide) => wide.format === undefined || wide.format === narrow.format,
  ],
  number: [
    (narrow, wide) => isInside(lowest(narrow), lowest(wide)) && isInside(highest(narrow), highest(wide)),
    (narrow, wide) => wide.multipleOf === undefined || isMultiple(narrow, wide.multipleOf),
  ],
  array: [atLeast('minItems'), atMost('maxItems'), (narrow, wide) => !wide.uniqueItems || narrow.uniqueItems === true],
  object: [atLeast('minProperties'), atMost('maxProperties')],
};

/** Whether a value of one type with the narrower keywords meets the wider ones: all but patterns, members and entries. */
export function meetsKeywords(narrow: Narrowed, wide: Narrowed): boolean {
  const types = typesOf(narrow);
  const isOfType = (type: string): boolean =>
    wide.type === undefined || hasType(wide, type) || (type === 'integer' && hasType(wide, 'number'));
  if (!types.every(isOfType)) return false;
  const { enum: accepted } = wide;
  if (accepted && !valuesOf(narrow)?.every((one) => accepted.some((other) => isDeepStrictEqual(one, other))))
    return false;
  const kinds = types.map((type) => (type === 'integer' ? 'number' : type));
  return kinds.every((kind) => (CHECKS[kind] ?? []).every((check) => check(narrow, wide)));
}

const valuesOf = (schema: Narrowed): readonly unknown[] | undefined =>
  schema.enum ?? (typesOf(schema).join() === 'boolean' ? [true, false] : undefined);

/** An end of a range, or the only value, so that more is narrower; and whether it is excluded. */
interface End {
  readonly at: number;
  readonly isExcluded: boolean;
}

function lowest({ enum: values, minimum, exclusiveMinimum }: Narrowed): End {
  if (typeof values?.[0] === 'number') return { at: values[0], isExcluded: false };
  const at = Math.max(minimum ?? Number.NEGATIVE_INFINITY, exclusiveMinimum ?? Number.NEGATIVE_INFINITY);
  return { at, isExcluded: exclusiveMinimum === at };
}

function highest({ enum: values, maximum, exclusiveMaximum }: Narrowed): End {
  if (typeof values?.[0] === 'number') return { at: -values[0], isExcluded: false };
  const at = Math.min(maximum ?? Number.POSITIVE_INFINITY, exclusiveMaximum ?? Number.POSITIVE_INFINITY);
  return { at: -at, isExcluded: exclusiveMaximum === at };
}

const isInside = (narrow: End, wide: End): boolean =>
  narrow.at > wide.at || (narrow.at === wide.at && (narrow.isExcluded || !wide.isExcluded));

function isMultiple({ enum: values, multipleOf, ...schema }: Narrowed, step: number): boolean {
  const [value] = values ?? [];
  if (typeof value === 'number') return Number.isInteger(value / step);
  if (multipleOf !== undefined) return Number.isInteger(multipleOf / step);
  return hasType(schema, 'integer') && Number.isInteger(1 / step);
}
