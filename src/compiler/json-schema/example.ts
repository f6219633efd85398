import type { OpenApiDocument } from '../../descriptor/document.ts';
import { readPattern } from '../../descriptor/read-pattern.ts';
import { patternText } from './pattern-text.ts';
import { resolveReference } from './references.ts';
import { type SamplePolicy, Sampler } from './sampler.ts';
import { documentedOf, type ValueSchema } from './value-schema.ts';

const FORMATS: Readonly<Record<string, string>> = {
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
  decimal: '1.50',
  email: 'ada@example.com',
  int64: '1',
  uri: 'https://example.com/',
  uuid: '019bc0de-7c00-7000-8000-000000000001',
};

/** What the contract itself gives comes first, then the simplest value; what need not be there is not. */
const SIMPLEST: SamplePolicy = {
  fraction: 1,
  anything: 'Example',
  given: (schema) => [...documentedOf(schema), ...(schema.default === undefined ? [] : [schema.default])],
  pick: ([first]) => first!,
  isNull: () => false,
  has: () => false,
  boolean: () => false,
  number: ({ least, most }) => least ?? Math.min(1, most),
  text: textOf,
  length: (least) => least,
};

/**
 * A value that the schema's own examples make up, or else its types; undefined where neither says enough.
 * It need not be valid. `leavesOut`: properties that a request (`readOnly`) or an answer (`writeOnly`) does not have.
 */
export function exampleOf(
  document: OpenApiDocument,
  schema: ValueSchema,
  leavesOut?: SamplePolicy['leavesOut'],
): unknown {
  return new Sampler(document, { ...SIMPLEST, leavesOut }).of(schema);
}

/** The nth value after another, of the same shape: `MUG-2`, `ada2@example.com`; undefined where the schema has none. */
export function variantOf(schema: ValueSchema, value: unknown, n: number): unknown {
  if (schema.enum) return schema.enum.filter((one) => one !== value && one !== null)[n - 1];
  if (typeof value === 'number') {
    const { multipleOf: step = 1, minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = schema;
    return [value + n * step, value - n * step].find((one) => one >= minimum && one <= maximum);
  }
  return typeof value === 'string' ? textAfter(schema, value, n) : undefined;
}

function textAfter({ format, pattern, maxLength }: ValueSchema, text: string, n: number): string | undefined {
  if (format === 'int64') return String(BigInt(text) + BigInt(n));
  if (format === 'date' || format === 'date-time') {
    const later = new Date(Date.parse(text) + n * DAY_MS).toISOString();
    return format === 'date' ? later.slice(0, 10) : later;
  }
  const form = readPattern(format === 'uuid' ? '^[0-9a-f-]+$' : (pattern ?? '')) ?? /(?:)/;
  const fits = (one: string): boolean => one.length <= (maxLength ?? one.length) && form.test(one);
  const numbered = NUMBERED[format ?? (pattern === undefined ? 'text' : '')]?.(text, n + 1);
  return numbered !== undefined && fits(numbered) ? numbered : otherEnds(text).filter(fits)[n - 1];
}

const DAY_MS = 86_400_000;
const NUMBERED: Readonly<Record<string, (text: string, number: number) => string>> = {
  email: (text, number) => text.replace('@', `${number}@`),
  text: (text, number) => `${text} ${number}`,
  uri: (text, number) => text + number,
};
const CLASSES = ['0123456789', 'abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** A text with another digit or letter in place of its last, of the one before it, and so on. */
function otherEnds(text: string): readonly string[] {
  return Array.from(text, (character, at) => [character, at] as const)
    .reverse()
    .flatMap(([character, at]) => {
      const characters = CLASSES.find((all) => all.includes(character)) ?? '';
      const own = characters.indexOf(character);
      const others = [...characters.slice(own + 1), ...characters.slice(0, Math.max(own, 0))];
      return others.map((other) => text.slice(0, at) + other + text.slice(at + 1));
    });
}

/** The first example that a parameter or a media type gives (OpenAPI 3.1, 4.8.12 and 4.8.14). */
export const givenExample = (document: OpenApiDocument, holder: object): unknown => givenExamples(document, holder)[0];

/** All examples that a parameter or a media type gives. */
export function givenExamples(document: OpenApiDocument, holder: object): readonly unknown[] {
  const { example, examples = {} } = holder as {
    readonly example?: unknown;
    readonly examples?: Readonly<Record<string, object>>;
  };
  const values = Object.values(examples).map((one) => resolveReference<{ value?: unknown }>(document, one)?.value);
  return [example, ...values].filter((value) => value !== undefined);
}

function textOf({ format, pattern, minLength = 0, maxLength = 100 }: ValueSchema): string | undefined {
  if (format !== undefined && FORMATS[format] !== undefined) return FORMATS[format];
  return pattern === undefined
    ? 'Example'.padEnd(minLength, '.').slice(0, maxLength)
    : patternText(pattern, minLength, maxLength);
}
