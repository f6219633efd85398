import { Command, type Environment } from '../../support/command.ts';

/** The development server as a process. */
export interface Started {
  readonly command: Command;
  /** All it has printed. */
  readonly output: string;
  /** Where the API is, without a trailing slash. */
  readonly base: string;
  /** The lines to paste, as printed. */
  readonly curls: readonly string[];
  /** The lines for GraphQL. */
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
  const output = await command.output(/npm run generate/);
  const base = /served at (\S+)/.exec(output)![1]!;
  const lines = output.split('\n');
  const isGraphql = (line: string): boolean => line.includes("/graphql'") || line.startsWith('  {"authorization"');
  const curls = lines.filter((line) => line.startsWith('  curl') && !isGraphql(line));
  return { command, output, base, curls, graphql: lines.filter(isGraphql) };
}

/** `npm start` for the smallest contract. */
export const cats = ['--contracts', 'test/fixtures/cats'];
