import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A hand-written SQL migration, which runs once. */
export interface HandWritten {
  /** The file's name. Migrations run in the order of their names. */
  readonly name: string;
  readonly sql: string;
  /** SHA-256 of the text, in hexadecimal. */
  readonly digest: string;
}

export type DatabaseKind = 'sqlite' | 'postgres';

const FILE = /^[\w.-]+?(?:\.(sqlite|postgres))?\.sql$/;

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
    wanted.sort().map(async (name) => {
      const sql = await readFile(join(folder, name), 'utf8');
      return { name, sql, digest: createHash('sha256').update(sql).digest('hex') };
    }),
  );
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
