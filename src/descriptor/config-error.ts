/** Settings that the server cannot start with. The message is for the operator, with one line for each fault. */
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

/** Attributes an error of the file system or of a database to the settings that name it. Other errors are returned. */
export function systemFault(variables: string, place: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (message === NO_TLS)
    return new ConfigError([`${variables}: ${place} does not offer TLS, which sslmode asks for.`]);
  return code === undefined ? error : new ConfigError([`${variables}: ${place} cannot be used (${message || code}).`]);
}
