import fc from 'fast-check';
import {
  type NumberRange,
  patternText,
  type SamplePolicy,
  Sampler,
  type ValueSchema,
} from '../../compiler/json-schema/index.ts';
import type { OpenApiDocument } from '../../descriptor/document.ts';
import { formats } from '../../descriptor/formats/formats.ts';
import { readPattern } from '../../descriptor/read-pattern.ts';
import type { Random } from '../random.ts';
import { spelledTime } from './spelled-time.ts';

const DAY_MS = 86_400_000;
/** How often an example of the contract is taken where there is one: rows that business rules accept. */
const EXAMPLES = 0.6;
const NULL = 0.2;
const OPTIONAL = 0.6;
const BOUNDARY = 0.05;
/** Steps that numbers range over, at most. */
const MAX_STEPS = 1_000;

/** The longest text that is made where the schema sets no bound. */
const MAX_LENGTH = 50;

const CHARACTERS = [...'abcdefgh ABCXYZ0123-_.,;:!?\'"\\/<>&%äßé漢🐈'];

/** Makes any values that schemas describe, those at their bounds among them. */
export function randomSampler(document: OpenApiDocument, random: Random): Sampler {
  return new Sampler(document, randomPolicy(random));
}

export function randomPolicy(random: Random): SamplePolicy {
  return {
    fraction: 0.25,
    anything: {},
    given: ({ examples = [] }) => (examples.length > 0 && random.chance(EXAMPLES) ? examples : []),
    pick: (choices) => random.pick(choices),
    isNull: () => random.chance(NULL),
    has: () => random.chance(OPTIONAL),
    boolean: () => random.chance(0.5),
    number: (range) => steps(random, range),
    text: (schema) => randomText(random, schema),
    length: (least, most) => random.integer(least, most),
  };
}

function steps(random: Random, { least: given, most }: NumberRange): number {
  const least = given ?? Math.min(0, most);
  const greatest = Math.min(most, least + MAX_STEPS);
  if (random.chance(BOUNDARY)) return random.pick([least, greatest]);
  return random.integer(least, greatest);
}

/** A text that a schema of strings allows: what its pattern, its format and its length ask for all hold. */
export function randomText(random: Random, schema: ValueSchema): string {
  const { format, minLength = 0, maxLength = MAX_LENGTH } = schema;
  const pattern = schema.pattern !== undefined && readPattern(schema.pattern) ? schema.pattern : undefined;
  if (pattern === undefined && format === undefined) return plain(random, minLength, maxLength);
  const fits = fitting(schema);
  const ofFormat = format === undefined ? [] : formatted(random, format, schema);
  const found = (pattern === undefined ? ofFormat : ofFormat.slice(0, 1)).find(fits);
  if (found !== undefined) return found;
  if (pattern !== undefined) return matching(random, pattern, fits);
  return format !== undefined && format in formats ? ofFormat[0]! : plain(random, minLength, maxLength);
}

function plain(random: Random, minLength: number, maxLength: number): string {
  const length = random.integer(minLength, Math.min(maxLength, minLength + 20));
  return Array.from({ length }, () => random.pick(CHARACTERS)).join('');
}

/** Whether a text meets all that the schema says, as the server checks it. */
function fitting({ format, pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY }: ValueSchema) {
  const expression = pattern === undefined ? undefined : readPattern(pattern);
  const check = format === undefined ? undefined : formats[format];
  return (text: string): boolean => {
    const { length } = [...text];
    const isOfFormat = check === undefined || (typeof check === 'function' ? check(text) : check.test(text));
    return length >= minLength && length <= maxLength && isOfFormat && (expression?.test(text) ?? true);
  };
}

/** By pattern: to read one takes far longer than to make a text of it. */
const textsByPattern = new Map<string, fc.Arbitrary<string>>();

function textsOf(pattern: string): fc.Arbitrary<string> {
  const texts = textsByPattern.get(pattern) ?? textsMatching(pattern);
  textsByPattern.set(pattern, texts);
  return texts;
}

function textsMatching(pattern: string): fc.Arbitrary<string> {
  const expression = readPattern(pattern) ?? /(?:)/;
  try {
    return fc.stringMatching(expression.source === pattern ? new RegExp(pattern) : expression);
  } catch {
    return fc.constant(patternText(pattern) ?? '');
  }
}

/** A text of a pattern that fits; if none of many does, the pattern alone counts. */
function matching(random: Random, pattern: string, fits: (text: string) => boolean): string {
  const seed = random.below(2 ** 31);
  let texts: readonly string[] = [];
  for (const numRuns of [1, 20, 500]) {
    texts = fc.sample(textsOf(pattern), { numRuns, seed });
    const found = texts.find(fits);
    if (found !== undefined) return found;
  }
  return texts[0]!;
}

/** Texts of a format: an ordinary one first, then the shortest, and one that is as long as it must be. */
function formatted(random: Random, format: string, { minLength = 0 }: ValueSchema): readonly string[] {
  const digits = String(random.below(1_000_000));
  const date = new Date(Date.UTC(2000, 0, 1) + random.below(9000) * DAY_MS).toISOString();
  const digit = digits.slice(0, 1);
  const longer = digit.repeat(minLength);
  switch (format) {
    case 'uuid':
      return [`019bc0de-7c00-7000-9000-${digits.padStart(12, '0')}`];
    case 'date':
      return [date.slice(0, 10)];
    case 'date-time':
      return [spelledTime(random, date), `${date.slice(0, 19)}Z`, `${date.slice(0, 20)}${longer}Z`];
    case 'date-time-local':
      return [date.slice(0, 19)];
    case 'time':
      return [`${date.slice(11, 19)}Z`];
    case 'duration':
      return [`P${digits}D`, `P${digit}D`];
    case 'email':
    case 'idn-email':
      return [`someone-${digits}@example.com`, 'a@b.co', `${longer.slice(0, 64)}@example.com`];
    case 'uri':
    case 'iri':
      return [`https://example.com/${digits}`, `a:${digit}`, `https://example.com/${longer}`];
    case 'uri-reference':
    case 'iri-reference':
      return [`/${digits}`, digit, `/${longer}`];
    case 'json-pointer':
      return [`/${digits}`, '', `/${longer}`];
    case 'hostname':
    case 'idn-hostname':
      return [
        `host-${digits}.example.com`,
        'a',
        `${`${'a'.repeat(62)}.`.repeat(Math.floor(minLength / 63))}${'a'.repeat((minLength % 63) + 1)}`,
      ];
    case 'ipv4':
      return [`192.0.2.${random.below(256)}`];
    case 'ipv6':
      return [`2001:db8::${random.below(0x10000).toString(16)}`, '::1'];
    case 'byte':
      return [Buffer.from(digits).toString('base64'), Buffer.from(longer).toString('base64'), ''];
    case 'decimal':
      return [random.pick([digits, `${digits}.5`, `-${digits}.25`]), digit, `1${longer}`];
    case 'int64':
      return [random.pick([digits, '9223372036854775807', `-${digits}1`]), digit, '1'.repeat(Math.max(1, minLength))];
    default:
      return [digits];
  }
}
