import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** SQL that somebody wrote, run once. */
export interface HandWritten {
  /** The file's name; they run in the order of their names. */
  readonly name: string;
  readonly sql: string;
  /** SHA-256 of the text, in hexadecimal. */
  readonly digest: string;
}

export type DatabaseKind = 'sqlite' | 'postgres';

const FILE = /^[\w.-]+?(?:\.(sqlite|postgres))?\.sql$/;

/** The files of a folder that are for this database: `0001-name.sql`, or `0001-name.postgres.sql`. None without a folder. */
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
    wanted.sort().map(async (name) => {
      const sql = await readFile(join(folder, name), 'utf8');
      return { name, sql, digest: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

/** Those that have not run. Throws when one that has was changed since. */
export function pendingOf(all: readonly HandWritten[], applied: ReadonlyMap<string, string>): HandWritten[] {
  for (const { name, digest } of all) {
    const known = applied.get(name);
    if (known !== undefined && known !== digest)
      throw new ChangedMigrationError(`migrations/${name} was changed after it ran; write another file instead.`);
  }
  return all.filter(({ name }) => !applied.has(name));
}

/** A migration that has run is not what it was. */
export class ChangedMigrationError extends Error {}
