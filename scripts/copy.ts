import { databaseUrl } from '../src/runtime/settings/kinds/index.ts';
import { defineCommand } from '../src/tools/define-command.ts';
import { settingOf } from '../src/tools/option-values.ts';
import { runScript } from '../src/tools/run-command.ts';

export const command = defineCommand('copy', {
  description:
    'Copies a consistent snapshot of all rows into an empty database and compares them row by row. ' +
    'URLs have the form of DATABASE_URL, and LOCKSTEP_SCHEMA holds for those of Postgres without `lockstep_schema=NAME`. Servers may write to the source meanwhile; the copy does not contain these writes.',
  examples: [
    {
      what: 'move from SQLite to Postgres',
      args: '--from sqlite:data/lockstep.db --to postgres://user:password@host/database',
    },
  ],
})
  .requiredOption('--from <url>', 'database to read', settingOf(databaseUrl))
  .requiredOption('--to <url>', 'empty database to fill', settingOf(databaseUrl))
  .option('--contracts <dir>', 'folder of the contract (default: the output of contracts/)')
  .action(async (options) => {
    const { copyDatabase } = await import('../src/authoring/copy-database.ts');
    await copyDatabase(options);
  });

if (import.meta.main) void runScript(command);
