import { Command, type Environment } from '../../support/command.ts';

/** The development server as a process. */
export interface Started extends Printed {
  readonly command: Command;
}

/** What it has printed. */
export interface Printed {
  /** All it has printed. */
  readonly output: string;
  /** Where the API is, without a trailing slash. */
  readonly base: string;
  /** The printed tokens, by the shell variable that holds them. */
  readonly tokens: Readonly<Record<string, string>>;
  /** The REST calls to paste, as printed, each after the variables that it may need. */
  readonly curls: readonly string[];
  /** The calls over GraphQL. */
  readonly graphql: readonly string[];
}

/** `npm start` on a free port, with its data in a folder; resolves once it serves. */
export async function started(
  folder: string,
  args: readonly string[] = [],
  environment: Environment = {},
): Promise<Started> {
  const settings = { PORT: '0', DATA_DIR: folder, LOG_LEVEL: 'error', ...environment };
  const command = new Command('scripts/start.ts', args, settings);
  const output = await command.output(/Ctrl-C stops it/);
  return { command, ...printed(output) };
}

/** What is in the output of a server that is up. */
export function printed(output: string): Printed {
  const base = /served at (\S+)/.exec(output)![1]!;
  const variables = [...output.matchAll(/^ {2}([A-Z]+=\S+)$/gm)].map(([, assignment]) => assignment!);
  const tokens = Object.fromEntries(variables.map((assignment) => assignment.split('=', 2)));
  const calls = [...output.matchAll(/^ {2}curl (?:.*\\\n)*.*$/gm)].map(([call]) => [...variables, call].join('\n'));
  const isGraphql = (call: string): boolean => call.includes("/graphql'");
  const curls = calls.filter((call) => !isGraphql(call));
  return { output, base, tokens, curls, graphql: calls.filter(isGraphql) };
}

/** `npm start` for the smallest contract. */
export const cats = ['--contracts', 'test/fixtures/cats'];
