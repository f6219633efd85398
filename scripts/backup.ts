import { defineCommand } from '../src/tools/define-command.ts';
import { runScript } from '../src/tools/run-command.ts';

export const command = defineCommand('backup', {
  description:
    'Copies the SQLite database of DATABASE_URL into a file as it is at one moment, while servers read and write it.',
  examples: [{ what: 'a backup with the date in its name', args: '--to "backups/$(date +%F).db"' }],
})
  .requiredOption('--to <file>', 'file to write, which must not exist')
  .action(async (options) => {
    const { backupDatabase } = await import('../src/authoring/backup-database.ts');
    await backupDatabase(options);
  });

if (import.meta.main) void runScript(command);
