import { defineCommand } from '../src/tools/define-command.ts';
import { runScript } from '../src/tools/run-command.ts';

export const command = defineCommand('backup', {
  description:
    'Copies a consistent snapshot of the SQLite database of DATABASE_URL into a file. Servers may read and write it meanwhile.',
  examples: [{ what: 'a backup with the date in its name', args: '--to "backups/$(date +%F).db"' }],
})
  .requiredOption('--to <file>', 'new file to write')
  .action(async (options) => {
    const { backupDatabase } = await import('../src/authoring/backup-database.ts');
    await backupDatabase(options);
  });

if (import.meta.main) void runScript(command);
