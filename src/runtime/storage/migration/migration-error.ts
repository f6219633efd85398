import type { NewerContract } from '../../../descriptor/migration/contract-record.ts';
import { type Difference, proposedFile } from '../../../descriptor/migration/step.ts';
import { FailedMigrationError } from './hand-written.ts';

interface Named {
  readonly name: string;
}

interface Described {
  readonly what: string;
}

/**
 * The database has a shape or rows that cannot be migrated without risk of losing data; each difference says how to
 * change it by hand.
 */
export class MigrationError extends Error {
  readonly differences: readonly string[];

  /** `isNew`: what is proposed is for the database that is being made. */
  constructor(differences: readonly Difference[], isNew = false) {
    super(
      [
        'The database does not match the contract, and changes that could lose data are not made automatically:',
        ...differences.flatMap((one) => [`  ${one.what}`, ...proposedFile(one, isNew).map((line) => `    ${line}`)]),
        'Check the SQL, copy the statements that apply to a file in migrations/, and run: npm run migrate',
      ].join('\n'),
    );
    this.name = 'MigrationError';
    this.differences = differences.map(({ what }) => what);
  }
}

/** Tables that another program has made have names of the contract's. */
export class ForeignTableError extends Error {
  constructor(tables: readonly string[]) {
    super(
      [
        'The database has tables of other programs that are named as those of the contract. Nothing was changed.',
        ...tables.map((table) => `  ${table}`),
        'Rename them, use another database or schema, or write x-table next to the schema of the resource: a name for a table of Lockstep,',
        '`x-table: { schema: public, name: … }` to serve the table that is there.',
      ].join('\n'),
    );
    this.name = 'ForeignTableError';
  }
}

/** A server is to make tables in a database that others have made tables in. */
export class StrangeDatabaseError extends Error {
  constructor(tables: readonly string[]) {
    const more = tables.length > MOST_NAMED ? ` and ${tables.length - MOST_NAMED} more` : '';
    super(
      [
        `The database has tables that Lockstep does not know: ${tables.slice(0, MOST_NAMED).join(', ')}${more}. Nothing was changed.`,
        'To make the tables of the contract beside them, run npm run migrate, or set MIGRATE_AT_BOOT=true.',
        'To serve the tables that are there, map them by x-table, which npm run import writes.',
      ].join('\n'),
    );
    this.name = 'StrangeDatabaseError';
  }
}

const MOST_NAMED = 10;

/** The database has not been migrated to the contract, and this server is not allowed to do it. */
export class PendingMigrationError extends Error {
  constructor(pending: readonly Named[], missing: readonly Described[]) {
    super(
      [
        'The database has not been migrated to the contract. Pending:',
        ...pending.map(({ name }) => `  migrations/${name}`),
        ...missing.map(({ what }) => `  ${what}`),
        'Run npm run migrate first, or set MIGRATE_AT_BOOT=true.',
      ].join('\n'),
    );
    this.name = 'PendingMigrationError';
  }
}

/** The database belongs to a newer contract by now, and this one cannot be served on its tables. */
export class OlderContractError extends Error {
  constructor({ name, olderName, difference }: NewerContract, unmet: readonly string[]) {
    super(
      [
        `The database belongs to a newer contract (${name}); this one (${olderName}) cannot be served in addition${difference}. It lacks:`,
        ...unmet.map((what) => `  ${what}`),
        'Serve the newer contract. To go back to this one, run: npm run migrate -- --even-if-older',
      ].join('\n'),
    );
    this.name = 'OlderContractError';
  }
}

/** Others hold a lock on tables for so long that a change was given up. */
export class LockedTableError extends Error {
  constructor(tables: readonly string[], holders: readonly string[], cause: unknown) {
    const done = cause instanceof FailedMigrationError ? cause.message : 'Nothing is half done.';
    super(
      [
        `${tables.join(', ') || 'a table'}: locked by others for too long. Run it again when they have ended.`,
        ...holders.map((holder) => `  ${holder}`),
        done,
      ].join('\n'),
      { cause },
    );
    this.name = 'LockedTableError';
  }
}

/** A file that runs outside a transaction has no session of its own behind a pooler of connections. */
export class PooledMigrationError extends Error {
  constructor({ name }: Named) {
    super(
      [
        `migrations/${name} runs outside a transaction, which is not possible through a pooler of connections.`,
        'Run npm run migrate with a DATABASE_URL that leads to the server itself.',
      ].join('\n'),
    );
    this.name = 'PooledMigrationError';
  }
}

/** Says in an error which files have run before it. */
export function withFilesRun(error: Error, files: readonly string[]): Error {
  if (files.length > 0)
    error.message += `\nCommitted before that, and not run again: ${files.join(', ')}. npm run migrate -- --check lists the remaining ones.`;
  return error;
}

/** Rows of the same values were written after they had been counted. */
export function duplicateRows({ what }: Described, { message }: Error): MigrationError {
  return new MigrationError([
    { what: `${what}: several rows have the same values (${message})`, byHand: [], isHarmless: false },
  ]);
}
