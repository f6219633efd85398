import { Option } from '@commander-js/extra-typings';
import { DEFAULT_SEED } from '../src/proving/proof/index.ts';
import { postgresUrl } from '../src/runtime/settings/kinds/index.ts';
import { defineCommand } from '../src/tools/define-command.ts';
import { settingOf, wholeNumber } from '../src/tools/option-values.ts';
import { runScript } from '../src/tools/run-command.ts';

const MAX = 999_999_999;

export const command = defineCommand('proof', {
  description:
    'Runs every action of a contract over REST and over GraphQL on two identical servers, as each kind of caller, with valid and invalid input. ' +
    'Compares their responses, stored rows and events. Exits with 1 on a difference, and if an operation never succeeded ' +
    'although it has a handler and the contract permits a success.',
  examples: [
    { what: 'the contract of this project, with its handlers', args: '' },
    { what: 'a quick look at another contract', args: '--contracts path/to/folder --samples 3' },
    { what: 'on Postgres', args: '--database postgres://postgres:postgres@127.0.0.1:5432/postgres' },
  ],
})
  .option('--contracts <dir>', 'folder of the contract', 'contracts')
  .option('--handlers <file>', 'module that exports `handlers` (default: src/handlers/index.ts for contracts/)')
  .addOption(
    new Option('--seed <n>', 'number that determines the requests')
      .argParser(wholeNumber(0, MAX))
      .default(DEFAULT_SEED),
  )
  .option(
    '--samples <n>',
    'invalid inputs, queries and rarer callers to try for each action (default: all)',
    wholeNumber(1, MAX),
  )
  .option(
    '--database <url>',
    'Postgres to run on: creates temporary databases on the server (default: SQLite); for a role bound by policies, ' +
      'row-level security protects the rows of tenants',
    settingOf(postgresUrl),
  )
  .option(
    '--tables <file>',
    'SQL that makes the tables of others that the contract maps, with their rows, such as the output of ' +
      'pg_dump --inserts (default: tables of Lockstep)',
  )
  .option('--json', 'print the report as JSON')
  .action(async (options) => {
    const { proveContract } = await import('../src/proving/prove-contract.ts');
    process.exitCode = await proveContract(options);
  });

if (import.meta.main) void runScript(command);
