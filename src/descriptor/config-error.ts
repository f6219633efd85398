/** Settings that the server cannot start with. The message is for the operator, with one line for each fault. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** Attributes an error of the file system or of a database to the settings that name it. Other errors are returned. */
export function systemFault(variables: string, place: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === undefined ? error : new ConfigError([`${variables}: ${place} cannot be used (${message || code}).`]);
}
