import type { LiveTable } from '../../../descriptor/migration/schema-dialect.ts';
import type { Step } from '../../../descriptor/migration/step.ts';
import type { DatabaseKind } from '../location.ts';

/** `text` compares by code point; `time` is RFC 3339 with milliseconds on SQLite. */
type OwnType = 'text' | 'bytes' | 'time' | 'integer';

export interface OwnColumn {
  readonly name: string;
  readonly type: OwnType;
  readonly isKey?: true;
  /** It is the key, and the database counts its values, unless a row comes with one. */
  readonly isCounted?: true;
  /** A column that is added later is never required: instances of both ages write the table. */
  readonly isOptional?: true;
}

interface OwnIndex {
  readonly name: string;
  readonly columns: readonly string[];
  readonly isUnique?: true;
  /** SQL for the rows that it has; all if left out. */
  readonly where?: string;
}

/** A table of the server itself, beside those of the contract. */
interface OwnTable {
  readonly name: string;
  /** The key first. */
  readonly columns: readonly [OwnColumn, ...OwnColumn[]];
  readonly indexes?: readonly OwnIndex[];
  /** Copies of a database have its rows. */
  readonly isCopied?: true;
}

/** Of a job: it is of an event, and no server has taken it yet. Such jobs are due at once, by their ids. */
export const IS_FRESH = 'kind is not null and claims = 0 and dead_at is null';
export const NOT_FRESH = '(kind is null or claims > 0)';

/** The tables that are migrated like those of the contract: what is missing is added, and nothing is dropped. */
export const OWN_TABLES: readonly OwnTable[] = [
  {
    name: 'lockstep_secret',
    isCopied: true,
    columns: [
      { name: 'name', type: 'text', isKey: true },
      { name: 'value', type: 'bytes' },
    ],
  },
  {
    name: 'lockstep_memory',
    isCopied: true,
    columns: [
      { name: 'key', type: 'text', isKey: true },
      { name: 'value', type: 'text' },
      { name: 'expires_at', type: 'time' },
    ],
    indexes: [{ name: 'lockstep_memory_expires_at_index', columns: ['expires_at'] }],
  },
  {
    name: 'lockstep_migration',
    columns: [
      { name: 'name', type: 'text', isKey: true },
      { name: 'digest', type: 'text' },
      { name: 'applied_at', type: 'time' },
    ],
  },
  {
    // The contracts that were served, in the order of `number`; the last one with what its rows must meet.
    name: 'lockstep_contract',
    columns: [
      { name: 'number', type: 'integer', isKey: true },
      { name: 'version', type: 'text' },
      { name: 'hash', type: 'text' },
      { name: 'shapes', type: 'text', isOptional: true },
      { name: 'served_at', type: 'time' },
    ],
  },
  {
    // Indexes that Lockstep has made, and may drop when no contract needs them any more. Also records of the database itself:
    // `records.ts` has their names.
    name: 'lockstep_object',
    columns: [
      { name: 'name', type: 'text', isKey: true },
      { name: 'kind', type: 'text' },
      { name: 'table_name', type: 'text' },
      { name: 'made_at', type: 'time' },
    ],
  },
  {
    // The time, in milliseconds since 1970, below which servers have made ids.
    name: 'lockstep_clock',
    columns: [
      { name: 'name', type: 'text', isKey: true },
      { name: 'mark', type: 'integer' },
    ],
  },
  {
    // A job waits, runs (`leased_until`), or is dead (`dead_at`). Times are milliseconds since 1970. `claims` counts the servers
    // that have taken it: only the last of them may write for it.
    name: 'lockstep_job',
    isCopied: true,
    columns: [
      { name: 'id', type: 'integer', isCounted: true },
      { name: 'tenant', type: 'text' },
      { name: 'name', type: 'text' },
      { name: 'key', type: 'text', isOptional: true },
      { name: 'input', type: 'text' },
      { name: 'subject', type: 'text', isOptional: true },
      { name: 'request_id', type: 'text' },
      { name: 'attempt', type: 'integer' },
      { name: 'claims', type: 'integer' },
      { name: 'run_at', type: 'integer' },
      { name: 'leased_until', type: 'integer', isOptional: true },
      { name: 'dead_at', type: 'integer', isOptional: true },
      { name: 'error', type: 'text', isOptional: true },
      // Of the jobs of events: what has happened to the row.
      { name: 'kind', type: 'text', isOptional: true },
      { name: 'depth', type: 'integer', isOptional: true },
      { name: 'traceparent', type: 'text', isOptional: true },
    ],
    indexes: [
      {
        name: 'lockstep_job_due_index',
        columns: ['run_at', 'id'],
        where: `leased_until is null and dead_at is null and ${NOT_FRESH}`,
      },
      // New events stand at its end: that of keys, whose places lie anywhere, is for those that were taken.
      { name: 'lockstep_job_fresh_index', columns: ['id'], where: IS_FRESH },
      {
        name: 'lockstep_job_key_index',
        columns: ['tenant', 'name', 'key', 'id'],
        where: `key is not null and dead_at is null and ${NOT_FRESH}`,
      },
      // One job of a key runs at a time. Few run: their leases are found by it, too.
      {
        name: 'lockstep_job_running_key',
        columns: ['tenant', 'name', 'key'],
        isUnique: true,
        where: 'leased_until is not null',
      },
      { name: 'lockstep_job_dead_index', columns: ['dead_at'], where: 'dead_at is not null' },
    ],
  },
  {
    // The last time at which each schedule was due, or began, in milliseconds since 1970.
    name: 'lockstep_schedule',
    isCopied: true,
    columns: [
      { name: 'name', type: 'text', isKey: true },
      { name: 'tick', type: 'integer' },
    ],
  },
  {
    // Changes of rows that have been committed, until jobs are made of them.
    name: 'lockstep_outbox',
    isCopied: true,
    columns: [
      { name: 'id', type: 'integer', isCounted: true },
      { name: 'resource', type: 'text' },
      { name: 'row_id', type: 'text' },
      { name: 'tenant', type: 'text' },
      { name: 'kind', type: 'text' },
      { name: 'version', type: 'text' },
      { name: 'row', type: 'text' },
      { name: 'before', type: 'text', isOptional: true },
      { name: 'actor', type: 'text', isOptional: true },
      { name: 'depth', type: 'integer' },
      { name: 'request_id', type: 'text' },
      { name: 'traceparent', type: 'text', isOptional: true },
    ],
  },
];

const TYPES: Readonly<Record<DatabaseKind, Readonly<Record<OwnType, string>>>> = {
  sqlite: { text: 'text', bytes: 'blob', time: 'text', integer: 'integer' },
  postgres: { text: 'text collate "C"', bytes: 'bytea', time: 'timestamptz', integer: 'bigint' },
};

/** Steps that bring the server's own tables up to date. */
export function planOwnTables(kind: DatabaseKind, live: ReadonlyMap<string, LiveTable>): Step[] {
  return OWN_TABLES.flatMap((table) => {
    const existing = live.get(table.name);
    return [
      ...(existing ? missingColumns(kind, table, existing) : [create(kind, table)]),
      ...missingIndexes(table, existing),
    ];
  });
}

function create(kind: DatabaseKind, { name, columns }: OwnTable): Step {
  const strict = kind === 'sqlite' ? ' strict' : '';
  const sql = `create table ${name} (${columns.map((column) => declared(kind, column)).join(', ')})${strict}`;
  return { what: `create table ${name}`, sql };
}

const missingColumns = (kind: DatabaseKind, { name, columns }: OwnTable, existing: LiveTable): Step[] =>
  columns
    .filter((column) => !existing.columns.has(column.name))
    .map((column) => ({
      what: `add column ${name}.${column.name}`,
      sql: `alter table ${name} add column ${declared(kind, { ...column, isOptional: true })}`,
      lock: { mode: 'access exclusive', tables: [name] },
    }));

const missingIndexes = ({ name: table, indexes = [] }: OwnTable, existing: LiveTable | undefined): Step[] =>
  indexes
    .filter(({ name }) => !existing?.indexes.has(name))
    .map(({ name, columns, isUnique, where }) => {
      const rows = where === undefined ? '' : ` where ${where}`;
      const sql = `create ${isUnique ? 'unique ' : ''}index ${name} on ${table} (${columns.join(', ')})${rows}`;
      return { what: sql, sql };
    });

const COUNTED: Readonly<Record<DatabaseKind, string>> = {
  sqlite: ' primary key autoincrement',
  postgres: ' generated by default as identity primary key',
};

function declared(kind: DatabaseKind, { name, type, isKey, isCounted, isOptional }: OwnColumn): string {
  const rule = isCounted ? COUNTED[kind] : isKey ? ' primary key' : isOptional ? '' : ' not null';
  return `${name} ${TYPES[kind][type]}${rule}`;
}
