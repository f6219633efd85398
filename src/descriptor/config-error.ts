/** A setting the server cannot start with; the message is for whoever starts it, one line a fault. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** A fault of the file system or of a database is one of the settings that name it; any other error is itself. */
export function systemFault(variables: string, place: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === undefined ? error : new ConfigError([`${variables}: ${place} cannot be used (${message || code}).`]);
}
