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
  /**
   * SHA-256, in hexadecimal, of the text with any of its marks left out: the first without all of them, which is
   * recorded.
   */
  readonly digests: readonly string[];
  /** Its statements run by themselves, each committed when it is done. */
  readonly isOutsideTransaction: boolean;
  /** It runs before the first tables of a new database are made. */
  readonly isBeforeTables: boolean;
  /** It changes what is there already: on a new database it is recorded and not run. */
  readonly isForExistingRows: boolean;
  /** Why it cannot run: a mark is not known. */
  readonly fault?: FailedMigrationError | undefined;
}

/** Files in the order in which they run: some before the changes of the contract, some after them. */
export interface Order {
  readonly before: readonly HandWritten[];
  readonly after: readonly HandWritten[];
  /** Recorded, and not run. */
  readonly recorded: readonly HandWritten[];
}

const FILE = /^[\w.-]+?(?:\.(sqlite|postgres))?\.sql$/;
/** What a line `-- lockstep: …` at the top of a file says, among blank lines and comments. */
const MARKS = ['no transaction', 'before tables', 'existing rows'] as const;
const MARK = /^\s*--\s*lockstep:\s*(.*?)\s*$/;
const HEAD = /^(?:[^\S\n]*(?:--[^\n]*)?\n)*(?:[^\S\n]*--[^\n]*$)?/;

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
  const [head] = HEAD.exec(text)!;
  const lines = head.split(/(?<=\n)/);
  const has = (mark: string): boolean => lines.some((line) => says(line, mark));
  return {
    name,
    statements: sqlStatements(text, kind),
    digests: digestsOf(lines, text.slice(head.length), MARKS),
    isOutsideTransaction: has('no transaction'),
    isBeforeTables: has('before tables'),
    isForExistingRows: has('existing rows'),
    fault: unknownMark(name, lines),
  };
}

const says = (line: string, mark: string): boolean => MARK.exec(line)?.[1] === mark;

function digestsOf(lines: readonly string[], rest: string, marks: readonly string[]): readonly string[] {
  const [mark, ...others] = marks;
  if (mark === undefined) return [createHash('sha256').update(lines.join('')).update(rest).digest('hex')];
  const without = digestsOf(
    lines.filter((line) => !says(line, mark)),
    rest,
    others,
  );
  return [...new Set([...without, ...digestsOf(lines, rest, others)])];
}

function unknownMark(name: string, lines: readonly string[]): FailedMigrationError | undefined {
  const i = lines.findIndex((line) => MARK.test(line) && !MARKS.some((mark) => says(line, mark)));
  if (i === -1) return undefined;
  const known = MARKS.map((mark) => `\`-- lockstep: ${mark}\``).join(', ');
  return new FailedMigrationError(name, i + 1, `\`${lines[i]!.trim()}\` is not known. Write one of ${known}.`);
}

/** The migrations that have not run. Throws when one that has run was changed since, and when one cannot run. */
export function pendingOf(all: readonly HandWritten[], applied: ReadonlyMap<string, string>): HandWritten[] {
  for (const { name, digests } of all) {
    const known = applied.get(name);
    if (known !== undefined && !digests.includes(known))
      throw new ChangedMigrationError(
        `migrations/${name} was changed after it ran. Restore it, and put further changes into a new file.`,
      );
  }
  const pending = all.filter(({ name }) => !applied.has(name));
  for (const { fault } of pending) if (fault) throw fault;
  return pending;
}

/**
 * The order of files. A new database gets its tables before them, but for files that say otherwise; `isFilledByCopy`: its
 * rows come from another database, with all that the other files have done.
 */
export function orderOf(pending: readonly HandWritten[], isNew: boolean, isFilledByCopy = false): Order {
  if (!isNew) return { before: pending, after: [], recorded: [] };
  const [run, recorded] = partition(
    pending,
    ({ isBeforeTables, isForExistingRows }) => !isForExistingRows && (isBeforeTables || !isFilledByCopy),
  );
  const [before, after] = partition(run, ({ isBeforeTables }) => isBeforeTables);
  return { before, after, recorded };
}

const partition = <T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] => [
  all.filter(isFirst),
  all.filter((one) => !isFirst(one)),
];

/** A migration was changed after it ran. */
export class ChangedMigrationError extends Error {}

/** A statement of a hand-written migration failed; the message has the file and the line. */
export class FailedMigrationError extends Error {
  readonly file: string;
  readonly line: number;
  /** The statement. */
  readonly sql: string;

  constructor(file: string, line: number, message: string, options?: ErrorOptions & { readonly sql: string }) {
    super(`migrations/${file}:${line}: ${message}`, options);
    this.file = file;
    this.line = line;
    this.sql = options?.sql ?? '';
  }
}

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
  return new FailedMigrationError(name, at, `${error.message}\n${isUndone}`, { cause: error, sql });
}
