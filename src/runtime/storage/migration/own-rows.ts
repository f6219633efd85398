import { lookUp } from '../../../descriptor/look-up.ts';
import type { DatabaseKind } from '../location.ts';
import type { OwnRows, StoredValue } from '../store.ts';
import { OWN_TABLES, type OwnColumn } from './own-tables.ts';
import { FORGET_COPY, holdCopy, type RunSql } from './records.ts';

const TABLES = new Map(OWN_TABLES.map((one) => [one.name, one]));

/** Rows that are read together. */
const PAGE = 100;

/** How a database writes the parts in which the statements differ. */
interface OwnDialect {
  read(column: OwnColumn): string;
  /** A value of the JSON array `value`. */
  write(column: OwnColumn, at: number): string;
  /** Arrays, each named `value`, of the JSON array `$1`. */
  readonly each: string;
  last(table: string): string;
  /** Statements after which a table counts from `$1`. */
  count(table: string): readonly string[];
}

const TIME = (column: string): string => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const CASTS = { text: '', bytes: '', time: '::timestamptz', integer: '::bigint' } as const;
const sequence = (table: string): string => `pg_get_serial_sequence('${table}', 'id')::regclass`;

const DIALECTS: Readonly<Record<DatabaseKind, OwnDialect>> = {
  sqlite: {
    read: ({ name, type }) => (type === 'bytes' ? `lower(hex(${name}))` : name),
    write: ({ type }, at) => (type === 'bytes' ? `unhex(value ->> ${at})` : `value ->> ${at}`),
    each: 'json_each($1)',
    last: (table) => `select seq from sqlite_sequence where name = '${table}'`,
    count: (table) => [
      `delete from sqlite_sequence where name = '${table}'`,
      `insert into sqlite_sequence (name, seq) values ('${table}', $1)`,
    ],
  },
  postgres: {
    read: ({ name, type }) => (type === 'bytes' ? `encode(${name}, 'hex')` : type === 'time' ? TIME(name) : name),
    write: ({ type }, at) => (type === 'bytes' ? `decode(value ->> ${at}, 'hex')` : `(value ->> ${at})${CASTS[type]}`),
    each: 'jsonb_array_elements($1::jsonb) as each (value)',
    last: (table) => `select pg_sequence_last_value(${sequence(table)})`,
    count: (table) => [`select setval(${sequence(table)}, $1::bigint)`],
  },
};

/** The rows of own tables that a copy takes along. */
export async function* ownRows(kind: DatabaseKind, run: RunSql): AsyncGenerator<OwnRows> {
  const { read, last } = DIALECTS[kind];
  for (const { name: table, columns } of OWN_TABLES.filter(({ isCopied }) => isCopied)) {
    const [key] = columns;
    if (key.isCounted) yield { table, rows: [], last: (await run(last(table)))[0]?.[0] ?? undefined };
    const sql = `select ${columns.map(read).join(', ')} from ${table} where ${key.name} > $1 order by ${key.name} limit ${PAGE}`;
    let after: StoredValue = key.isCounted ? 0 : '';
    for (let isWhole = true; isWhole; ) {
      const rows = await run(sql, [after]);
      if (rows.length > 0) yield { table, rows };
      isWhole = rows.length === PAGE;
      after = rows.at(-1)?.[0] ?? after;
    }
  }
}

/** Writes the own rows of another database, and holds the jobs: this one is its copy. */
export async function importOwnRows(kind: DatabaseKind, run: RunSql, pages: AsyncIterable<OwnRows>): Promise<void> {
  const { write, each, count } = DIALECTS[kind];
  for await (const { table, rows, last } of pages) {
    if (last !== undefined) for (const sql of count(table)) await run(sql, sql.includes('$1') ? [last] : []);
    const [key, ...others] = lookUp(TABLES, table).columns;
    const columns = [key, ...others];
    const changed = others.map(({ name }) => `${name} = excluded.${name}`).join(', ');
    const sql = `
      insert into ${table} (${columns.map(({ name }) => name).join(', ')})
      select ${columns.map(write).join(', ')} from ${each} where true
      on conflict (${key.name}) do update set ${changed}`;
    if (rows.length > 0) await run(sql, [JSON.stringify(rows)]);
  }
  await run(FORGET_COPY);
  await holdCopy(run);
}
