import type { OpenApiDocument } from '../../descriptor/document.ts';
import { patternText } from './pattern-text.ts';
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

/** The first example that a parameter or a media type gives (OpenAPI 3.1, 4.8.12 and 4.8.14). */
export const givenExample = (holder: object): unknown => givenExamples(holder)[0];

/** All examples that a parameter or a media type gives. */
export function givenExamples(holder: object): readonly unknown[] {
  const { example, examples = {} } = holder as {
    readonly example?: unknown;
    readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>;
  };
  return [example, ...Object.values(examples).map(({ value }) => value)].filter((value) => value !== undefined);
}

function textOf({ format, pattern, minLength = 0, maxLength = 100 }: ValueSchema): string | undefined {
  if (format !== undefined && FORMATS[format] !== undefined) return FORMATS[format];
  return pattern === undefined
    ? 'Example'.padEnd(minLength, '.').slice(0, maxLength)
    : patternText(pattern, minLength, maxLength);
}
