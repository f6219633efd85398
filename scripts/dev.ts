import { defineCommand } from '../src/tools/define-command.ts';
import { runScript } from '../src/tools/run-command.ts';

export const command = defineCommand('dev', {
  description:
    'Serves the contract as `start` does, and follows: a change of the contract is compiled and served, a change of code is served, in a moment. ' +
    'While the contract has errors, the terminal and every page show them; what a handler throws unexpectedly is shown with its lines, in the terminal and in the answer. ' +
    'The types of the project are checked beside it.',
  examples: [
    { what: 'develop the contract of this project', args: '' },
    {
      what: 'develop another contract and write what is generated from it',
      args: '--contracts api --out api/generated',
    },
  ],
})
  .option('--contracts <dir>', 'folder of the contract', 'contracts')
  .option('--out <dir>', 'folder to write the output to (default: generated for contracts/, else none)')
  .option('--handlers <dir>', 'folder whose index.ts exports `handlers` (default: src/handlers for contracts/)')
  .option(
    '--sample <file>',
    'module whose `sample()` fills an empty database (default: contracts/samples/index.ts for contracts/)',
  )
  .option('--no-types', 'do not check the types of the project')
  .option('--reset', 'delete the database in DATA_DIR first, with all its rows; never one that DATABASE_URL names')
  .action(async (flags) => {
    const { develop } = await import('../src/authoring/develop.ts');
    await develop(flags);
  });

if (import.meta.main) void runScript(command);
