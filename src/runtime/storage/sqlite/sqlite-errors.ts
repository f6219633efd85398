import type { Table } from '../../../descriptor/table.ts';
import { StoreError } from '../store-error.ts';

/** SQLite's extended result codes (https://www.sqlite.org/rescode.html). */
const PRIMARY_KEY = 1555;
const UNIQUE = 2067;
const FOREIGN_KEY = 787;
const TRIGGER = 1811;
/** Primary result codes: the low byte of an extended one. */
const BUSY = 5;
const LOCKED = 6;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const NOTADB = 26;

interface SqliteError extends Error {
  readonly errcode: number;
}

function isSqliteError(error: unknown): error is SqliteError {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number';
}

/** A `StoreError` where the caller can act on it, else the error itself. */
export function storeError(error: unknown): unknown {
  if (!isSqliteError(error)) return error;
  switch (error.errcode) {
    case UNIQUE:
    case PRIMARY_KEY:
      return new StoreError({ kind: 'unique', properties: columnsIn(error.message) }, error);
    case FOREIGN_KEY:
    case TRIGGER:
      return new StoreError({ kind: 'reference' }, error);
  }
  switch (error.errcode & 0xff) {
    case BUSY:
    case LOCKED:
      return new StoreError({ kind: 'unavailable' }, error);
    case FULL:
      return new StoreError({ kind: 'full' }, error);
    case READONLY:
      return new StoreError({ kind: 'faulty', why: 'read-only' }, error);
    case CORRUPT:
    case NOTADB:
      return new StoreError({ kind: 'faulty', why: 'damaged' }, error);
    case IOERR:
    case CANTOPEN:
      return new StoreError({ kind: 'faulty' }, error);
  }
  return error;
}

/** The same error with the properties of a violated unique key, of which SQLite reports the columns. */
export function named(error: unknown, { columns }: Table): unknown {
  if (!(error instanceof StoreError) || error.failure.kind !== 'unique') return error;
  const properties = error.failure.properties.map((name) => columns.find(({ column }) => column === name)!.name);
  return new StoreError({ kind: 'unique', properties }, error.cause);
}

/** "UNIQUE constraint failed: users.email, users.name" names the columns. */
function columnsIn(message: string): string[] {
  const list = message.slice(message.indexOf(': ') + 2);
  return list.split(', ').map((name) => name.slice(name.lastIndexOf('.') + 1));
}
