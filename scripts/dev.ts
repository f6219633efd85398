import { defineCommand } from '../src/tools/define-command.ts';
import { runScript } from '../src/tools/run-command.ts';

export const command = defineCommand('dev', {
  description:
    'Serves the contract like `start`, and compiles and serves each change of the contract and the code. ' +
    'The terminal and every page show errors of the contract. Unexpected exceptions of handlers appear with their lines, in the terminal and in the response. ' +
    'It also checks the types of the project.',
  examples: [
    { what: 'develop the contract of this project', args: '' },
    {
      what: 'develop another contract and write its output',
      args: '--contracts api --out api/generated',
    },
  ],
})
  .option('--contracts <dir>', 'folder of the contract', 'contracts')
  .option('--out <dir>', 'folder of the output (default: generated for contracts/, otherwise none)')
  .option('--handlers <dir>', 'folder whose index.ts exports `handlers` (default: src/handlers for contracts/)')
  .option(
    '--sample <file>',
    'module whose `sample()` fills an empty database (default: contracts/samples/index.ts for contracts/)',
  )
  .option('--no-types', 'do not check the types of the project')
  .option(
    '--reset',
    'first delete the database in DATA_DIR with all its rows; never a database that DATABASE_URL names',
  )
  .action(async (flags) => {
    const { develop } = await import('../src/authoring/develop.ts');
    await develop(flags);
  });

if (import.meta.main) void runScript(command);
