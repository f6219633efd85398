import { defineCommand } from '../src/tools/define-command.ts';
import { runScript } from '../src/tools/run-command.ts';

export const command = defineCommand('migrate', {
  description:
    'Runs each new file of migrations/ once on the database of DATABASE_URL, in the order of the names. ' +
    'Then it creates the missing tables, columns and indexes. It refuses changes that could lose data, and a contract that existing rows violate.',
  examples: [{ what: 'the pending changes, without applying them', args: '--check' }],
})
  .option('--check', 'change nothing; exit with 1 if changes are pending')
  .option('--sql', 'with --check: print all SQL, also if it is long')
  .option('--even-if-older', 'return to a contract older than that of the database')
  .option('--reset-clock', 'restart ids at the clock of the servers, after a clock that was ahead')
  .option('--contracts <dir>', 'folder of the contract (default: the output of contracts/)')
  .action(async (options) => {
    const { migrate } = await import('../src/authoring/migrate.ts');
    process.exitCode = await migrate(options);
  });

if (import.meta.main) void runScript(command);
