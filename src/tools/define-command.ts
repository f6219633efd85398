import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { type CommandName, summaryOf } from './commands.ts';

export interface CommandText {
  /** Full sentences, above the options. */
  readonly description: string;
  readonly examples: readonly Example[];
  /** Whether a run with these options uses the folder `--out`; each does, unless this says otherwise. */
  readonly usesOutput?: (options: Readonly<Record<string, unknown>>) => boolean;
}

interface Example {
  /** What it does, as a short phrase. */
  readonly what: string;
  /** What follows the name of the command. */
  readonly args: string;
}

/** What a module in `scripts/` exports. */
export interface CommandModule {
  readonly command: CommandUnknownOpts;
}

/**
 * A command of the table with its help; the caller adds arguments, options and the action. With `--contracts` and `--out` it does not begin
 * where the folder is the output of another contract.
 */
export function defineCommand(
  name: CommandName,
  { description, examples, usesOutput = () => true }: CommandText,
): Command {
  const command = new Command(name).summary(summaryOf(name)).description(description);
  command.addHelpText('after', () => formatExamples(callOf(command), examples));
  command.hook('preAction', async () => {
    const options: Readonly<Record<string, unknown>> = command.opts();
    const { contracts, out } = options;
    if (typeof contracts !== 'string' || typeof out !== 'string' || !usesOutput(options)) return;
    const { refuseOthersOutput } = await import('./own-output.ts');
    await refuseOthersOutput(contracts, out);
  });
  return withOutput(command, 'its options');
}

/** Help goes to the console; errors are thrown as `CommanderError`, after a message that ends with where to read more. */
export function withOutput(command: Command, subject: string): Command {
  return command.exitOverride().configureOutput({
    // Unlike the stream itself, the console does not mind a reader that has gone.
    writeOut: (text) => console.log(text.replace(/\n$/, '')),
    outputError: (text, write) => write(`${text}Run \`${callOf(command)} --help\` for ${subject}.\n`),
  });
}

/** What is typed to call a command: `lockstep docs`, or `npm run docs --`. */
function callOf(command: CommandUnknownOpts): string {
  return command.parent ? `${callOf(command.parent)} ${command.name()}` : command.name();
}

function formatExamples(call: string, examples: readonly Example[]): string {
  const lines = examples.flatMap(({ what, args }) => [
    `  # ${what}`,
    `  ${args === '' ? call.replace(/ --$/, '') : `${call} ${args}`}`,
  ]);
  return `\n${examples.length === 1 ? 'Example' : 'Examples'}:\n${lines.join('\n')}`;
}
