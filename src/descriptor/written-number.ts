import { findWithin } from './json-pointer.ts';

declare global {
  interface JSON {
    /** A value that `stringify` writes as this text. */
    rawJSON(text: string): object;
  }
}

/** The third argument of a reviver. */
interface Source {
  readonly source?: string;
}

/** A number of JSON that a double would change: in JSON it is as it was written, in arithmetic the nearest double. */
export class WrittenNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  valueOf(): number {
    return Number(this.text);
  }

  toString(): string {
    return this.text;
  }

  toJSON(): unknown {
    return JSON.rawJSON(this.text);
  }
}

/**
 * Matches each JSON with a number that a double changes: it has more than 15 digits, or an exponent of three or more. Few
 * texts match, and none of those that are UUIDs.
 */
export const MAY_CHANGE = /[\d.]{16}|\d[eE][-+]?\d{3}(?<=(?:^|[\s,:[])[-\d.]+[eE][-+]?\d{3})/;

/** Parses JSON as it is stored: each number keeps its value. */
export const parseStored = (json: string): unknown =>
  MAY_CHANGE.test(json) ? JSON.parse(json, storedNumber) : JSON.parse(json);

const storedNumber = (_name: string, value: unknown, context?: Source): unknown => kept(value, context?.source, false);

/** A reviver for JSON that is sent: integers that a double changes, and numbers beyond any double, stay as written. */
export const sentNumber = (_name: string, value: unknown, context?: Source): unknown =>
  kept(value, context?.source, true);

/** Whether a number in a text that is sent, JSON or GraphQL, may be a double: fractions are rounded to the nearest. */
export const isSendable = (text: string): boolean => !(kept(Number(text), text, true) instanceof WrittenNumber);

function kept(value: unknown, source: string | undefined, roundsFractions: boolean): unknown {
  if (typeof value !== 'number' || source === undefined || isShort(value, source)) return value;
  if (!MAY_CHANGE.test(source) || !NUMBER.test(source)) return value;
  if (!Number.isFinite(value)) return new WrittenNumber(source);
  const [written, read] = [decimalOf(source), decimalOf(String(value))];
  const isSame = written.digits === read.digits && written.power === read.power;
  return isSame || (roundsFractions && written.power < 0) ? value : new WrittenNumber(source);
}

/** The smallest double of full precision. */
const MIN_NORMAL = 2 ** -1022;

/** Whether so few digits stand before an exponent that each double of full precision holds them. */
function isShort(value: number, source: string): boolean {
  const digits = source.search(/[eE]/);
  return digits > 0 && digits <= 15 && Number.isFinite(value) && Math.abs(value) >= MIN_NORMAL;
}

const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/;

/** The digits of a number without zeros around them, and the power of ten that they are multiplied by. */
function decimalOf(text: string): { readonly digits: string; readonly power: number } {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = NUMBER.exec(text) ?? [];
  const digits = whole + fraction;
  let start = 0;
  let end = digits.length;
  while (digits[start] === '0') start += 1;
  while (end > start && digits[end - 1] === '0') end -= 1;
  if (start === end) return { digits: '0', power: 0 };
  return { digits: sign + digits.slice(start, end), power: Number(exponent) - fraction.length + digits.length - end };
}

/** The value with the nearest finite doubles in the place of written numbers; the same one if it has none. */
export function withDoubles(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof WrittenNumber) return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value.valueOf()));
  let copy: Record<string, unknown> | undefined;
  const members = value as Readonly<Record<string, unknown>>;
  for (const name of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    const one = members[name];
    const double = withDoubles(one);
    if (double === one) continue;
    copy ??= (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
    copy[name] = double;
  }
  return copy ?? value;
}

/** Throws for a number that JSON does not have. */
export function checkNumbers(value: unknown): void {
  const isNone = (one: unknown): boolean => typeof one === 'number' && !Number.isFinite(one);
  const found = findWithin(value, (one) => (isNone(one) ? String(one) : undefined));
  if (found) throw new Error(`${found.said} is not JSON${found.pointer && ` (at ${found.pointer})`}.`);
}
