import { StoreError } from '../store-error.ts';
import type { SqliteConnection } from './sqlite-connection.ts';
import { storeError } from './sqlite-errors.ts';

/** How long one write proves that a file can be written: as long as lists are kept, which other processes read anew after it. */
const PROOF_MS = 10_000;

const VERSION = { sql: 'pragma user_version', slots: [] };

/** Knows whether a file can be written: a write is tried now and then, and damage is remembered. */
export class FileHealth {
  readonly #clock: () => number;
  #provenUntilMs = Number.NEGATIVE_INFINITY;
  /** The first damaged page that a statement met: it is mended while no server runs. */
  #damage: unknown;

  constructor(clock = () => performance.now()) {
    this.#clock = clock;
  }

  /** The error to be thrown for one of SQLite. */
  readonly translated = (error: unknown): unknown => {
    const translated = storeError(error);
    const failure = translated instanceof StoreError ? translated.failure : undefined;
    if (failure?.kind === 'faulty' || failure?.kind === 'full') this.#provenUntilMs = Number.NEGATIVE_INFINITY;
    if (failure?.kind === 'faulty' && failure.why === 'damaged') this.#damage ??= translated;
    return translated;
  };

  /** Throws the `StoreError` of a file that cannot be written. It waits for nobody: where others are writing, one can. */
  check(writer: SqliteConnection): void {
    if (this.#damage) throw this.#damage;
    if (this.#clock() < this.#provenUntilMs || writer.database.isTransaction) return;
    try {
      writeNothing(writer);
    } catch (error) {
      if (!(error instanceof StoreError) || error.failure.kind !== 'unavailable') throw error;
    }
    this.#provenUntilMs = this.#clock() + PROOF_MS;
  }
}

/** Commits a page as it is. */
function writeNothing(writer: SqliteConnection): void {
  try {
    writer.execute('begin immediate');
    writer.execute(`pragma user_version = ${writer.value(VERSION, [])}`);
    writer.execute('commit');
  } finally {
    if (writer.database.isTransaction) writer.execute('rollback');
  }
}
