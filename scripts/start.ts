import { defineCommand } from '../src/tools/define-command.ts';
import { runScript } from '../src/tools/run-command.ts';
import { startOptions } from '../src/tools/start-options.ts';

export const command = defineCommand('start', {
  description:
    'Serves the contract over REST and GraphQL, with its documentation, and prints sample calls; in production, only log lines. ' +
    'Settings are environment variables, such as PORT; docs/settings.md lists them.',
  examples: [
    { what: 'serve the contract of this project', args: '' },
    {
      what: 'try another contract, with a separate database',
      args: '--contracts path/to/folder',
    },
  ],
})
  .option('--contracts <dir>', 'folder of the contract (default: the output of contracts/)')
  .option(
    '--handlers <dir>',
    'folder whose index.ts exports `handlers`; without it, custom operations of another contract return 501 (default: src/handlers for contracts/)',
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
