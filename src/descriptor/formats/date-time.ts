const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;

/** RFC 3339 `full-date`, of a day that exists. */
export function isDate(text: string): boolean {
  const [, year, month, day] = DATE.exec(text) ?? [];
  if (year === undefined) return false;
  return Number(day) >= 1 && Number(day) <= daysIn(Number(year), Number(month));
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  if (month < 1 || month > 12) return 0;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

const DATE_TIME = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

const LOCAL_DATE_TIME = /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?$/;

/** RFC 3339 `date-time` without its offset, as a `timestamp` of Postgres holds it: from the year 1, to the microsecond. */
export function isLocalDateTime(text: string): boolean {
  const date = LOCAL_DATE_TIME.exec(text)?.[1];
  return date !== undefined && isDate(date) && !date.startsWith('0000');
}

/** Digits of a second after the third that are not all zero. */
const FINER = /\.\d{3}0*[1-9]/;

/**
 * RFC 3339 `date-time` that rows can store: any number of digits of a second, no leap second, a UTC year from 0000 to 9999.
 */
export function isDateTime(text: string): boolean {
  const date = DATE_TIME.exec(text)?.[1];
  if (date === undefined || !isDate(date)) return false;
  const year = dateOf(text).getUTCFullYear();
  return year >= 0 && year <= 9999;
}

/** The time of a valid `date-time`, whose letters may be lower-case (RFC 3339, 5.6), truncated to milliseconds. */
export function dateOf(text: string): Date {
  return new Date(text.toUpperCase().replace(/(\.\d{3})\d+/, '$1'));
}

/** Whether a valid `date-time` lies between two milliseconds. */
export const isFinerThanMs = (text: string): boolean => FINER.test(text);

/** A time, of which a text is known, in UTC and with the microseconds of the text. */
export function microsecondText(time: Date, text: string): string {
  const [, behind = ''] = /\.\d{3}(\d{1,3})/.exec(text) ?? [];
  return time.toISOString().replace('Z', `${behind.replace(/0+$/, '')}Z`);
}
