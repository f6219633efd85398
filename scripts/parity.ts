import { defineCommand } from '../src/tools/define-command.ts';
import { runScript } from '../src/tools/run-command.ts';

export const command = defineCommand('parity', {
  description:
    'Prints what a contract promises over REST beside what it promises over GraphQL; exits with 1 on a difference.',
  examples: [
    { what: 'the differences, if there are any', args: '' },
    { what: 'every fact: actions, fields, filters, limits, scopes, enums and errors', args: '--all' },
  ],
})
  .option('--contracts <dir>', 'folder of the contract', 'contracts')
  .option('--all', 'print every fact, not only those that differ')
  .option('--json', 'print JSON')
  .action(async (options) => {
    const { printParity } = await import('../src/authoring/print-parity.ts');
    process.exitCode = await printParity(options);
  });

if (import.meta.main) void runScript(command);
