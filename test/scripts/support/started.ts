import { Command, type Environment } from '../../support/command.ts';

/** The development server as a process. */
export interface Started {
  readonly command: Command;
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
  const base = /served at (\S+)/.exec(output)![1]!;
  const variables = [...output.matchAll(/^ {2}([A-Z]+=\S+)$/gm)].map(([, assignment]) => assignment!);
  const tokens = Object.fromEntries(variables.map((assignment) => assignment.split('=', 2)));
  const calls = [...output.matchAll(/^ {2}curl (?:.*\\\n)*.*$/gm)].map(([call]) => [...variables, call].join('\n'));
  const isGraphql = (call: string): boolean => call.includes("/graphql'");
  const curls = calls.filter((call) => !isGraphql(call));
  return { command, output, base, tokens, curls, graphql: calls.filter(isGraphql) };
}

/** `npm start` for the smallest contract. */
export const cats = ['--contracts', 'test/fixtures/cats'];
