import type { PropertyType } from '../resource.ts';

/** The value of a column of one type as one of another, as SQL of Postgres: the one that rows are judged by. */
export function postgresConversion(
  column: string,
  from: PropertyType | undefined,
  to: PropertyType,
  type: string,
): string {
  if (from === undefined) return `${column}::${type}`;
  if (from === 'date' && to === 'date-time') return `${column}::timestamp at time zone 'UTC'`;
  if (from === 'date-time' && to === 'date') return `(${column} at time zone 'UTC')::date`;
  const text = textOf(column, from, to);
  switch (to) {
    case 'string':
      return text;
    case 'json':
      return `to_jsonb(${isJsonScalar(from) ? column : text})`;
    case 'integer':
    case 'int64':
      return isInteger(from) ? column : `trim_scale((${text})::numeric)::text::bigint`;
    case 'date-time':
      return `date_trunc('milliseconds', (${text})::timestamptz)`;
    default:
      return `(${text})::${type}`;
  }
}

const isInteger = (type: PropertyType): boolean => type === 'integer' || type === 'int64';
const isNumber = (type: PropertyType): boolean => isInteger(type) || type === 'number' || type === 'decimal';
/** JSON has these as they are, and all others as texts. */
const isJsonScalar = (type: PropertyType): boolean => ['integer', 'number', 'boolean'].includes(type);

/** As the server writes it. */
function textOf(column: string, from: PropertyType, to: PropertyType): string {
  const year = (time: string): string => `lpad(greatest(extract(year from ${time}), 0)::text, 4, '0')`;
  switch (from) {
    case 'string':
      return column;
    case 'boolean':
      return isNumber(to) ? `${column}::int::text` : `${column}::text`;
    case 'number': {
      const hasExponent = `${column} <> 0 and (abs(${column}) >= 1e21 or abs(${column}) < 1e-6)`;
      return `case when ${hasExponent} then regexp_replace(${column}::text, 'e([+-])0', 'e\\1') else ${column}::text::numeric::text end`;
    }
    case 'date':
      return `${year(column)} || to_char(${column}, '-MM-DD')`;
    case 'date-time': {
      const utc = `(${column} at time zone 'UTC')`;
      return `${year(utc)} || to_char(${utc}, '-MM-DD"T"HH24:MI:SS.MS"Z"')`;
    }
    case 'json':
      return `${column} #>> '{}'`;
    default:
      return `${column}::text`;
  }
}
