import { Command } from '@commander-js/extra-typings';
import { type CommandName, PACKAGE_COMMANDS } from './commands.ts';
import { type CommandModule, withOutput } from './define-command.ts';
import { runCommand } from './run-command.ts';

/** Imports `scripts/NAME`. */
export type LoadCommand = (name: CommandName) => Promise<CommandModule>;

/**
 * The command `lockstep` of the package: loads the one command that is asked for, and lists the others. `argv`: Node, the bin, the
 * arguments.
 */
export async function lockstep(argv: readonly string[], version: string, load: LoadCommand): Promise<void> {
  const program = withOutput(new Command('lockstep'), 'the commands')
    .description('A contract-first API server: OpenAPI and GraphQL contracts in, a typed and tested service out.')
    .usage('<command> [options]')
    .version(version, '-v, --version', 'display the version')
    .addHelpText('after', '\nRun `lockstep <command> --help` for the options of a command and examples.');
  const asked = argv.slice(2).find((word) => PACKAGE_COMMANDS.some(({ name }) => name === word));
  for (const { name, summary } of PACKAGE_COMMANDS) {
    const command = name === asked ? (await load(name)).command : new Command(name).usage(' ').summary(summary);
    program.addCommand(command);
  }
  await runCommand(program, argv.length > 2 ? argv : [...argv, '--help']);
}
