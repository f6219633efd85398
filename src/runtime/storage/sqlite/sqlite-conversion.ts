import type { PropertyType } from '../../../descriptor/resource.ts';

/** The value of a column of one type as one of another, as SQL of SQLite: the one that rows are judged by. */
export function sqliteConversion(column: string, from: PropertyType, to: PropertyType): string {
  const text = textOf(column, from, to);
  switch (to) {
    case 'json':
      return from === 'integer' || from === 'number' || from === 'boolean' ? text : `json_quote(${text})`;
    case 'uuid':
      return `lower(${text})`;
    case 'integer':
    case 'int64':
      return `cast(${text} as numeric)`;
    case 'number':
      return `cast(${text} as real)`;
    case 'boolean':
      return `case ${text} when 'true' then 1 when '1' then 1 when 'false' then 0 when '0' then 0 else ${text} end`;
    case 'date-time':
      return from === 'date' ? text : inUtc(text);
    default:
      return text;
  }
}

const NUMBERS: readonly PropertyType[] = ['integer', 'int64', 'number', 'decimal'];

/** As the server writes it. */
function textOf(column: string, from: PropertyType, to: PropertyType): string {
  switch (from) {
    case 'integer':
    case 'int64':
      return `cast(${column} as text)`;
    case 'boolean':
      return NUMBERS.includes(to) ? `cast(${column} as text)` : `iif(${column}, 'true', 'false')`;
    case 'number':
      return digitsOf(column);
    case 'date':
      return to === 'date-time' ? `${column} || 'T00:00:00.000Z'` : column;
    case 'date-time':
      return to === 'date' ? `substr(${column}, 1, 10)` : column;
    case 'json':
      return `iif(json_type(${column}) = 'text', ${column} ->> '$', ${column})`;
    default:
      return column;
  }
}

/** A time of RFC 3339 in UTC, with milliseconds, of which SQLite would round the last. */
function inUtc(text: string): string {
  const zone = `iif(${text} like '%z', 'Z', substr(${text}, -6))`;
  const fraction = `iif(substr(${text}, 20, 1) = '.', replace(substr(${text}, 21), ${zone}, ''), '')`;
  const seconds = `strftime('%Y-%m-%dT%H:%M:%S', upper(substr(${text}, 1, 19)) || ${zone})`;
  return `${seconds} || '.' || substr(replace(${fraction}, 'z', '') || '000', 1, 3) || 'Z'`;
}

/** A number with the fewest digits that make it again (ECMAScript, 6.1.6.1.20). SQLite itself writes 17 of them. */
function digitsOf(column: string): string {
  const forms = ['%.14e', '%.15e'].map((form) => `printf('${form}', ${column})`);
  const shortest = forms.map((form) => `when cast(${form} as real) = ${column} then ${form}`).join(' ');
  return `(select iif(${column} < 0, '-', '') || case
    when power_ between 0 and 20 then substr(digits_ || '00000000000000000000', 1, power_ + 1) || iif(length(digits_) > power_ + 1, '.' || substr(digits_, power_ + 2), '')
    when power_ between -6 and -1 then '0.' || substr('00000', 1, -power_ - 1) || digits_
    else substr(digits_, 1, 1) || iif(length(digits_) > 1, '.' || substr(digits_, 2), '') || printf('e%+d', power_) end
  from (select rtrim(replace(substr(written_, 1, instr(written_, 'e') - 1), '.', ''), '0') as digits_, cast(substr(written_, instr(written_, 'e') + 1) as integer) as power_
  from (select ltrim(case ${shortest} else printf('%!.16e', ${column}) end, '-') as written_)))`;
}
