import { defineCommand } from '../src/tools/define-command.ts';
import { runScript } from '../src/tools/run-command.ts';

export const command = defineCommand('parity', {
  description: 'Compares the facts of a contract over REST with those over GraphQL. Exits with 1 on a difference.',
  examples: [
    { what: 'only the differences', args: '' },
    { what: 'every fact: actions, fields, filters, limits, scopes, enums and errors', args: '--all' },
  ],
})
  .option('--contracts <dir>', 'folder of the contract', 'contracts')
  .option('--all', 'print every fact, not only differences')
  .option('--json', 'print JSON')
  .action(async (options) => {
    const { printParity } = await import('../src/authoring/print-parity.ts');
    process.exitCode = await printParity(options);
  });

if (import.meta.main) void runScript(command);
