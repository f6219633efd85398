import { postgresUrl } from '../src/runtime/settings/kinds/index.ts';
import { defineCommand } from '../src/tools/define-command.ts';
import { settingOf } from '../src/tools/option-values.ts';
import { runScript } from '../src/tools/run-command.ts';

const collect = (text: string, previous: readonly string[] = []): readonly string[] => [...previous, text];
const collectNames = (text: string, previous: readonly string[] = []): readonly string[] => [
  ...previous,
  ...text.split(','),
];

export const command = defineCommand('import', {
  description: `Writes a contract for the tables of a Postgres that exists. The database is only read.

Each table becomes a resource with two operations, get and list, for callers with the scope of its collection. Into a folder with a contract,
the command adds the missing tables and edits nothing else. Omitted tables and columns are listed with the reason, and so are the decisions
that are left to you.`,
  examples: [
    { what: 'a contract of all tables', args: '--database postgres://user:password@host/database --out contracts' },
    {
      what: 'some tables, and a view by its key',
      args: '--database postgres://user:password@host/database --out contracts --only "shop.*" --key shop.totals=customer_id',
    },
  ],
})
  .requiredOption('--database <url>', 'Postgres to read', settingOf(postgresUrl))
  .requiredOption('--out <dir>', 'folder of the contract, or an empty one')
  .option('--only <names>', 'these tables and views; * stands for any text; may be repeated', collectNames)
  .option('--except <names>', 'not these tables and views', collectNames)
  .option('--key <key>', 'the columns that identify a row of a view, as VIEW=COLUMN,COLUMN; may be repeated', collect)
  .option('--json', 'print the result as JSON')
  .action(async ({ key, ...options }) => {
    const { importDatabase } = await import('../src/authoring/import-database.ts');
    process.exitCode = await importDatabase({ keys: key, ...options });
  });

if (import.meta.main) void runScript(command);
