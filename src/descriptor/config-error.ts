/** Settings or surroundings that a program cannot work with. The message is for the operator, with one line for each fault. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** Why something failed, in one line: the error and those that caused it; of several addresses of one host, each. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ');
  if (!(error instanceof Error)) return String(error);
  const own = error.message || String((error as NodeJS.ErrnoException).code);
  return error.cause === undefined ? own : `${own}: ${reasonOf(error.cause)}`;
}

/** The driver's error for a Postgres without TLS, which has no code. */
const NO_TLS = 'The server does not support SSL connections';

/** By the code of Postgres or the file system, and that of SQLite or its low byte (https://www.sqlite.org/rescode.html). */
const MEANINGS: Readonly<Record<string, string>> = {
  ENOSPC: 'its disk is full',
  '53100': 'its disk is full',
  '13': 'its disk is full',
  '4874': 'its disk is full',
  '25006': 'it is a standby, or read-only',
  '8': 'it is read-only',
  '14': 'it, or its folder, cannot be opened for writing',
  '5': 'another program has locked it',
};

/** What an error of Postgres or SQLite, or of the file system, comes to; undefined for those that say it themselves. */
export function meaningOf(error: unknown): string | undefined {
  const { code, errcode } = Object(error) as { readonly code?: string; readonly errcode?: number };
  return errcode === undefined ? MEANINGS[code!] : (MEANINGS[errcode] ?? MEANINGS[errcode & 0xff]);
}

/** Attributes an error of the file system or of a database to the settings that name it. Other errors are returned. */
export function systemFault(variables: string, place: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (message === NO_TLS)
    return new ConfigError([`${variables}: ${place} does not offer TLS, which sslmode asks for.`]);
  if (code === undefined) return error;
  const meaning = meaningOf(error);
  const why = meaning === undefined ? '' : `: ${meaning}`;
  return new ConfigError([`${variables}: ${place} cannot be used${why} (${reasonOf(error)}).`]);
}
