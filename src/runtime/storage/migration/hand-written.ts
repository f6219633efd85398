import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseKind } from '../location.ts';
import { type Mark, readMarks } from './marks.ts';
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
  /** What its lines `-- lockstep: …` say. */
  readonly marks: ReadonlySet<Mark>;
  /** Columns, `table.column`, and tables that have left the contract and were not renamed. */
  readonly notRenamed: readonly string[];
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

/** Files for one database whose counterpart for the other is absent, unless they say that they are for it alone. */
export async function unpairedIn(folder: string): Promise<readonly Unpaired[]> {
  const files = (await Promise.all(KINDS.map((kind) => readMigrations(folder, kind)))).flat();
  const names = new Set(files.map(({ name }) => name));
  return [...new Map(files.map((file) => [file.name, file])).values()].flatMap(({ name, marks }) => {
    const kind = FILE.exec(name)?.[1];
    const lacking = KINDS.filter((one) => one !== kind).map((one) => name.replace(`.${kind}.sql`, `.${one}.sql`));
    const [counterpart] = kind === undefined || marks.has('this database alone') ? [] : lacking;
    return counterpart === undefined || names.has(counterpart) ? [] : [{ name, counterpart }];
  });
}

const KINDS: readonly DatabaseKind[] = ['sqlite', 'postgres'];

/** A file for one database alone. */
export interface Unpaired {
  readonly name: string;
  readonly counterpart: string;
}

/** A file's text as a migration. */
export function parseMigration(name: string, text: string, kind: DatabaseKind): HandWritten {
  const { marks, named, digests, unknown } = readMarks(text);
  return {
    name,
    statements: sqlStatements(text, kind),
    digests,
    marks,
    notRenamed: named('not renamed'),
    fault: unknown && new FailedMigrationError(name, unknown.line, unknown.why),
  };
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
  if (!isNew) {
    const [after, before] = partition(pending, ({ marks }) => marks.has('after tables') && !marks.has('before tables'));
    return { before, after, recorded: [] };
  }
  const [run, recorded] = partition(
    pending,
    ({ marks }) => !marks.has('existing rows') && (marks.has('before tables') || !isFilledByCopy),
  );
  const [before, after] = partition(run, ({ marks }) => marks.has('before tables'));
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
  { name, marks }: HandWritten,
  { sql, line }: SqlStatement,
  error: Error,
  position = 1,
): FailedMigrationError {
  const at = line + lineAt(sql, position - 1) - 1;
  const isUndone = marks.has('no transaction')
    ? 'The statements before it are done: write the file so that it can run again.'
    : 'The file has changed nothing.';
  return new FailedMigrationError(name, at, `${error.message}\n${isUndone}`, { cause: error, sql });
}
