import { enableCompileCache } from 'node:module';
import { CommanderError, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { CommandFailure } from './command-failure.ts';
import { scriptCall } from './commands.ts';

/** Exit code of a command line that is not valid; 1 is for findings and failures. */
const USAGE_EXIT_CODE = 2;

/**
 * Runs a module of `scripts/` with the arguments of the process. The module does not await it: `completion` imports all of them,
 * itself included.
 */
export function runScript(command: CommandUnknownOpts): Promise<void> {
  // What the command loads is neither stripped of its types nor compiled again the next time: a third of the time.
  enableCompileCache();
  command.name(scriptCall(command.name()));
  return runCommand(command, process.argv);
}

/**
 * Parses the arguments and runs the command; a failure is explained on stderr and ends the process. `argv`: Node, the script, the
 * arguments.
 */
export async function runCommand(command: CommandUnknownOpts, argv: readonly string[]): Promise<void> {
  try {
    await command.parseAsync(argv);
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode !== 0) process.exitCode = USAGE_EXIT_CODE;
      return;
    }
    const { explainFailure } = await import('./explain-failure.ts');
    console.error(explainFailure(error));
    process.exit(error instanceof CommandFailure ? error.exitCode : 1);
  }
}
