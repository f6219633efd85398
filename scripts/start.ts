import { defineCommand } from '../src/tools/define-command.ts';
import { runScript } from '../src/tools/run-command.ts';
import { startOptions } from '../src/tools/start-options.ts';

export const command = defineCommand('start', {
  description:
    'Serves the contract over REST and GraphQL, with its documentation, and prints lines to try it with; in production, log lines alone. ' +
    'Settings are environment variables, such as PORT; the documentation lists them.',
  examples: [
    { what: 'serve the contract of this project', args: '' },
    {
      what: 'look at another contract: its rows are kept in a database of their own',
      args: '--contracts path/to/folder',
    },
  ],
})
  .option('--contracts <dir>', 'folder of the contract (default: what was generated from contracts/)')
  .option(
    '--handlers <dir>',
    'folder whose index.ts exports `handlers`; without it, custom operations of another contract answer 501 (default: src/handlers for contracts/)',
  )
  .option(
    '--sample <file>',
    'module whose `sample()` fills an empty database (default: contracts/samples/index.ts for contracts/)',
  )
  .action(async (flags) => {
    const { serveContract } = await import('../src/authoring/serve/index.ts');
    const banner = await serveContract(startOptions(flags));
    if (banner !== undefined) console.log(banner);
  });

if (import.meta.main) void runScript(command);
