import { isDeepStrictEqual } from 'node:util';
import { typesOf, type ValueSchema } from './value-schema.ts';

/** Keywords of one value without its members, entries and unions. `const` is an `enum` of one. */
export type Narrowed = Omit<
  ValueSchema,
  '$ref' | 'allOf' | 'oneOf' | 'anyOf' | 'const' | 'properties' | 'items' | 'prefixItems' | 'contains' | 'discriminator'
>;

type Bound = 'minimum' | 'exclusiveMinimum' | 'minLength' | 'minItems' | 'minProperties';
type Limit = 'maximum' | 'exclusiveMaximum' | 'maxLength' | 'maxItems' | 'maxProperties';

const BOUNDS: readonly Bound[] = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const LIMITS: readonly Limit[] = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];

/** The keywords that schemas have together: the narrowest bounds, types and enums; of texts and annotations the last. */
export const narrowed = (parts: readonly ValueSchema[]): Narrowed => {
  const [first, ...others] = parts.map(ownKeywords);
  return others.reduce(both, first ?? {});
};

function ownKeywords(schema: ValueSchema): Narrowed {
  const {
    $ref: _,
    allOf: __,
    oneOf: ___,
    anyOf: ____,
    const: only,
    properties: _____,
    items: ______,
    ...rest
  } = schema;
  const { prefixItems: _______, contains: ________, discriminator: _________, ...own } = rest;
  if (!('const' in schema)) return own;
  const isListed = own.enum?.some((one) => isDeepStrictEqual(one, only)) ?? true;
  return { ...own, enum: isListed ? [only] : [] };
}

function both(a: Narrowed, b: Narrowed): Narrowed {
  const hasExamples = b.examples !== undefined || b.example !== undefined;
  const { examples: _, example: __, ...withoutExamples } = a;
  return {
    ...(hasExamples ? withoutExamples : a),
    ...b,
    ...types(a, b),
    ...values(a.enum, b.enum),
    ...bounds(a, b),
    ...(a.required && b.required && { required: [...new Set([...a.required, ...b.required])] }),
    ...(a.multipleOf !== undefined && b.multipleOf !== undefined && { multipleOf: common(a.multipleOf, b.multipleOf) }),
    ...((a.uniqueItems || b.uniqueItems) && { uniqueItems: true }),
    ...((a.readOnly || b.readOnly) && { readOnly: true }),
    ...((a.writeOnly || b.writeOnly) && { writeOnly: true }),
  };
}

function types(a: Narrowed, b: Narrowed): Pick<Narrowed, 'type' | 'enum'> | undefined {
  if (a.type === undefined || b.type === undefined) return undefined;
  const [left, right] = [typesOf(a), typesOf(b)];
  const has = (all: readonly string[], type: string): boolean =>
    all.includes(type) || (type === 'integer' && all.includes('number'));
  const type = [...new Set([...left.filter((one) => has(right, one)), ...right.filter((one) => has(left, one))])];
  return type.length > 0 ? { type } : { type, enum: [] };
}

function values(a: Narrowed['enum'], b: Narrowed['enum']): Pick<Narrowed, 'enum'> | undefined {
  if (!a || !b) return undefined;
  return { enum: a.filter((one) => b.some((other) => isDeepStrictEqual(one, other))) };
}

function bounds(a: Narrowed, b: Narrowed): Partial<Record<Bound | Limit, number>> {
  const least = BOUNDS.map((keyword) => [keyword, Math.max(a[keyword] ?? -Infinity, b[keyword] ?? -Infinity)]);
  const most = LIMITS.map((keyword) => [keyword, Math.min(a[keyword] ?? Infinity, b[keyword] ?? Infinity)]);
  return Object.fromEntries([...least, ...most].filter(([, bound]) => Number.isFinite(bound)));
}

/** The least number that is a multiple of both, of whole numbers; else the greater. */
function common(a: number, b: number): number {
  if (!Number.isInteger(a) || !Number.isInteger(b)) return Math.max(a, b);
  let [more, less] = [a, b];
  while (less > 0) [more, less] = [less, more % less];
  return (a / more) * b;
}
