import { defineCommand } from '../src/tools/define-command.ts';
import { runScript } from '../src/tools/run-command.ts';

export const command = defineCommand('migrate', {
  description:
    'Runs the files of migrations/ that have not run yet on the database of DATABASE_URL, each once, in the order of their names; ' +
    'then creates the tables, columns and indexes that the contract needs. What could lose data is refused, and so is a contract that rows do not meet.',
  examples: [{ what: 'what there is to do, without doing it', args: '--check' }],
})
  .option('--check', 'change nothing; exit with 1 when there is something to do')
  .option('--sql', 'with --check: all SQL, however long')
  .option('--even-if-older', 'go back to a contract that is older than the one the database belongs to')
  .option('--reset-clock', 'let ids begin anew at the clock of the servers, after one that was ahead')
  .option('--contracts <dir>', 'folder of the contract (default: what was generated from contracts/)')
  .action(async (options) => {
    const { migrate } = await import('../src/authoring/migrate.ts');
    process.exitCode = await migrate(options);
  });

if (import.meta.main) void runScript(command);
