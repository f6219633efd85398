import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';

/** A decimal number: `units` divided by 10 to the power of `scale`. */
interface Decimal {
  readonly units: bigint;
  readonly scale: number;
}

/** Digits of an average behind the point. */
const MEAN_SCALE = 6;
const PART = 2n ** 32n;
const MAX_DIGITS_OF_LENGTH = 6;
const OPTIONS = { deterministic: true, useBigIntArguments: true, varargs: true };

function decimalOf(text: string): Decimal {
  const point = text.indexOf('.');
  if (point === -1) return { units: BigInt(text), scale: 0 };
  return { units: BigInt(text.slice(0, point) + text.slice(point + 1)), scale: text.length - point - 1 };
}

function textOf({ units, scale }: Decimal): string {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  return units < 0n ? `-${text}` : text;
}

const unitsAt = ({ units, scale }: Decimal, at: number): bigint => units * 10n ** BigInt(at - scale);

function added(one: Decimal, other: Decimal): Decimal {
  const scale = Math.max(one.scale, other.scale);
  return { units: unitsAt(one, scale) + unitsAt(other, scale), scale };
}

function compared(one: Decimal, other: Decimal): bigint {
  const scale = Math.max(one.scale, other.scale);
  return unitsAt(one, scale) - unitsAt(other, scale);
}

/** The quotient with six digits at most, rounded half away from zero, without zeros at its end. */
function mean(sum: string, count: bigint): string {
  const { units, scale } = decimalOf(sum);
  const divisor = 2n * count * 10n ** BigInt(scale);
  const dividend = 2n * (units < 0n ? -units : units) * 10n ** BigInt(MEAN_SCALE) + divisor / 2n;
  const rounded = dividend / divisor;
  const text = textOf({ units: units < 0n ? -rounded : rounded, scale: MEAN_SCALE });
  return text.replace(/\.?0+$/, '');
}

/** A text that sorts, by code point, as the number does. */
function key(text: string): string {
  const isNegative = text.startsWith('-') && /[1-9]/.test(text);
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const digits = whole.replace(/^0+/, '');
  const length = String(digits.length).padStart(MAX_DIGITS_OF_LENGTH, '0');
  const positive = `${length}${digits}.${fraction.replace(/0+$/, '')}`;
  return isNegative ? `0${positive.replaceAll(/\d/g, (digit) => `${9 - Number(digit)}`)}~` : `1${positive}`;
}

/** Of numbers that are equal, the first by code point. */
const least = (sign: 1n | -1n) => (one: string, other: string) => {
  const difference = sign * compared(decimalOf(one), decimalOf(other));
  return difference < 0n || (difference === 0n && one < other) ? one : other;
};

/** Gives a connection the exact sums, averages and orders that SQLite lacks. Numbers are texts of digits. */
export function addExactNumbers(database: DatabaseSync): void {
  const scalar = (name: string, compute: (first: SQLOutputValue, second: SQLOutputValue) => string): void =>
    database.function(name, OPTIONS, (...[first = null, second = null]) =>
      first === null ? null : compute(first, second),
    );
  const aggregate = (name: string, joined: (one: string, other: string) => string): void =>
    database.aggregate(name, {
      start: null,
      step: (before, value) =>
        before === null || value === null ? (value ?? before) : joined(String(before), String(value)),
    });
  scalar('lockstep_sum', (high, low) => String(BigInt(String(high)) * PART + BigInt(String(low))));
  scalar('lockstep_mean', (sum, count) => mean(String(sum), BigInt(String(count))));
  scalar('lockstep_key', (digits) => key(String(digits)));
  aggregate('lockstep_decimal_sum', (one, other) => textOf(added(decimalOf(one), decimalOf(other))));
  aggregate('lockstep_decimal_min', least(1n));
  aggregate('lockstep_decimal_max', least(-1n));
}
