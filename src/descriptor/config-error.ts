/** Settings that the server cannot start with. The message is for the operator, with one line for each fault. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'ConfigError';
    this.problems = problems;
  }
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
