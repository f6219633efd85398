import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseKind } from '../location.ts';
import { lineAt, type SqlStatement, sqlStatements } from './sql-statements.ts';

/** A hand-written SQL migration, which runs once. */
export interface HandWritten {
  /** The file's name. Migrations run in the order of their names. */
  readonly name: string;
  readonly statements: readonly SqlStatement[];
  /** SHA-256 of the text, in hexadecimal. */
  readonly digest: string;
  /** Its first line says that its statements run by themselves, each committed when it is done. */
  readonly isOutsideTransaction: boolean;
}

const FILE = /^[\w.-]+?(?:\.(sqlite|postgres))?\.sql$/;
const OUTSIDE_TRANSACTION = /^--\s*lockstep:\s*no transaction\s*$/;

/**
 * The files of a folder that apply to this database: `0001-name.sql` or `0001-name.postgres.sql`. None when there is
 * no folder.
 */
export async function readMigrations(folder: string, kind: DatabaseKind): Promise<HandWritten[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const wanted = names.filter((name) => {
    const match = FILE.exec(name);
    return match && (match[1] === undefined || match[1] === kind);
  });
  return Promise.all(
    wanted.sort().map(async (name) => parseMigration(name, await readFile(join(folder, name), 'utf8'), kind)),
  );
}

/** A file's text as a migration. */
export function parseMigration(name: string, text: string, kind: DatabaseKind): HandWritten {
  return {
    name,
    statements: sqlStatements(text, kind),
    digest: createHash('sha256').update(text).digest('hex'),
    isOutsideTransaction: OUTSIDE_TRANSACTION.test(text.split(/\r?\n/, 1)[0]!),
  };
}

/** The migrations that have not run. Throws when one that has run was changed since. */
export function pendingOf(all: readonly HandWritten[], applied: ReadonlyMap<string, string>): HandWritten[] {
  for (const { name, digest } of all) {
    const known = applied.get(name);
    if (known !== undefined && known !== digest)
      throw new ChangedMigrationError(
        `migrations/${name} was changed after it ran. Restore it, and put further changes into a new file.`,
      );
  }
  return all.filter(({ name }) => !applied.has(name));
}

/** A migration was changed after it ran. */
export class ChangedMigrationError extends Error {}

/** A statement of a hand-written migration failed; the message has the file and the line. */
export class FailedMigrationError extends Error {}

/**
 * The error of a statement with the file and the line. `position`: of the fault in the statement, in characters from 1,
 * where the database knows it.
 */
export function failedStatement(
  { name, isOutsideTransaction }: HandWritten,
  { sql, line }: SqlStatement,
  error: Error,
  position = 1,
): FailedMigrationError {
  const at = line + lineAt(sql, position - 1) - 1;
  const isUndone = isOutsideTransaction
    ? 'What comes before it in the file is done: write the file so that it can run again.'
    : 'The file has changed nothing.';
  return new FailedMigrationError(`migrations/${name}:${at}: ${error.message}\n${isUndone}`, { cause: error });
}
