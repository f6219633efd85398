import { extname } from 'node:path';
import { type CommandName, PACKAGE_COMMANDS } from '../src/tools/commands.ts';
import { type CommandModel, completionScript, modelOf, SHELLS } from '../src/tools/completion/index.ts';
import { type CommandModule, defineCommand } from '../src/tools/define-command.ts';
import { choiceArgument } from '../src/tools/option-values.ts';
import { runScript } from '../src/tools/run-command.ts';

export const command = defineCommand('completion', {
  description:
    'Prints the completion script of a shell for the commands of `lockstep`, their options and values. Load it when the shell starts.',
  examples: [
    { what: 'in ~/.bashrc: source <(lockstep completion bash)', args: 'bash' },
    { what: 'in ~/.zshrc, after compinit: source <(lockstep completion zsh)', args: 'zsh' },
    { what: 'once: lockstep completion fish > ~/.config/fish/completions/lockstep.fish', args: 'fish' },
  ],
})
  .addArgument(choiceArgument('<shell>', 'the shell', SHELLS))
  .action(async (shell) => {
    const models = await Promise.all(PACKAGE_COMMANDS.map(({ name }) => load(name)));
    console.log(completionScript(shell, 'lockstep', models));
  });

/** The definition only: what the action of a command needs is not loaded. */
async function load(name: CommandName): Promise<CommandModel> {
  const module: CommandModule = await import(new URL(name + extname(import.meta.url), import.meta.url).href);
  return modelOf(name, module.command);
}

if (import.meta.main) void runScript(command);
