import type { StatementSync } from 'node:sqlite';
import type { StoredValue } from '../store.ts';

/** A statement that is run and read. */
export type Read = (prepared: StatementSync, bound: readonly StoredValue[]) => unknown;

/** An integer that another program wrote may be beyond those that a number holds: it is rounded, as Postgres' are. */
export function rounding(prepared: StatementSync, bound: readonly StoredValue[], run: Read): unknown {
  prepared.setReadBigInts(true);
  try {
    return rounded(run(prepared, bound));
  } finally {
    prepared.setReadBigInts(false);
  }
}

function rounded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rounded);
  return typeof value === 'bigint' ? Number(value) : value;
}
