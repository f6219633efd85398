import { Option } from '@commander-js/extra-typings';
import type { Claims } from '../src/runtime/auth/index.ts';
import { postgresUrl } from '../src/runtime/settings/kinds/index.ts';
import { defineCommand } from '../src/tools/define-command.ts';
import { choiceOption, claimsOf, settingOf } from '../src/tools/option-values.ts';
import { runScript } from '../src/tools/run-command.ts';

const DATABASES = ['sqlite', 'postgres'];

const readClaims = (text: string): Claims | 'anonymous' =>
  text === 'anonymous' ? text : claimsOf(text, ', or anonymous');

const readDatabase = (text: string): string => (DATABASES.includes(text) ? text : settingOf(postgresUrl)(text));

export const command = defineCommand('explain', {
  description: `Explains the access of callers to an action: the effect of \`security\`, \`x-owner\` and \`x-access\`, the SQL and its index, and the refusals.

Name the action as RESOURCE.ACTION (patients.update, orders.items.list) or by its operationId.`,
  examples: [
    { what: 'each kind of caller', args: 'orders.update' },
    { what: 'one caller, by its claims', args: `getOrder --as '{"sub":"ada","scope":"orders:read"}'` },
    { what: 'the SQL of Postgres', args: 'orders.list --as anonymous --database postgres' },
  ],
})
  .argument('<action>', 'the action')
  .addOption(
    new Option('--as <claims>', 'claims of the caller as JSON, or anonymous (default: each kind of caller)').argParser(
      readClaims,
    ),
  )
  .option('--contracts <dir>', 'folder of the contract', 'contracts')
  .addOption(
    new Option(
      '--database <name>',
      'sqlite, postgres (only SQL), or the URL of a Postgres, which gets a temporary database for the query plans',
    )
      .argParser(readDatabase)
      .default('sqlite'),
  )
  .addOption(
    choiceOption('--format <format>', 'format of the explanation', ['human', 'json']).default('human' as const),
  )
  .action(async (action, options) => {
    const { explainContract } = await import('../src/authoring/explain-contract.ts');
    await explainContract(action, options);
  });

if (import.meta.main) void runScript(command);
