import { readFile } from 'node:fs/promises';
import { CommandFailure } from '../../tools/command-failure.ts';
import { administer, makeDatabaseOn, type TemporaryDatabase } from '../../tools/postgres-database.ts';

/** Commands of psql that a dump begins and ends with; they change nothing. */
const SKIPPED = /^\\(?:un)?restrict\b.*$/gm;
const REFUSED: readonly (readonly [RegExp, string])[] = [
  [/^copy\b.*\bfrom\s+stdin\b/im, 'has rows for COPY, which only psql reads. Make it with `pg_dump --inserts`.'],
  [/^\\\w+/m, 'is a command of psql. Remove the line.'],
];

/** A database beside the one of a URL, with the tables and rows that a file of SQL makes. Throws `CommandFailure`. */
export async function databaseOf(file: string, server: string): Promise<TemporaryDatabase> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CommandFailure(`--tables: ${file} cannot be read (${error.code}).`);
  });
  const sql = text.replace(SKIPPED, '');
  for (const [pattern, why] of REFUSED) {
    const found = pattern.exec(sql);
    if (found) throw new CommandFailure(`--tables: ${file}:${lineAt(sql, found.index)} ${why}`);
  }
  const database = await makeDatabaseOn(server, 'proof_tables');
  try {
    await administer(database.url, sql);
    return database;
  } catch (error) {
    await database.drop();
    const { message, position } = error as Error & { readonly position?: string };
    const line = position === undefined ? '' : `:${lineAt(sql, Number(position))}`;
    throw new CommandFailure(`--tables: ${file}${line} fails: ${message}.`);
  }
}

const lineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length;
