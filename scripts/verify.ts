import { Option } from '@commander-js/extra-typings';
import { httpUrl } from '../src/runtime/settings/kinds/index.ts';
import { defineCommand } from '../src/tools/define-command.ts';
import { settingOf, wholeNumber } from '../src/tools/option-values.ts';
import { runScript } from '../src/tools/run-command.ts';

const MAX = 999_999_999;

export const command = defineCommand('verify', {
  description:
    'Checks a running server against a contract with random sequences of client requests over REST and GraphQL. It reports each deviation ' +
    'with the shortest sequence of requests that reproduces it, as curl commands, and each operation that never succeeded. ' +
    'It creates, changes and deletes rows: use it only on a test server. Exits with 1 if the server deviates, or if no operation succeeded.',
  examples: [
    { what: 'the server that `start` runs here', args: '--url http://127.0.0.1:3000' },
    { what: 'the sequences of an earlier run again', args: '--url http://127.0.0.1:3000 --seed 42' },
  ],
})
  .requiredOption(
    '--url <url>',
    'the server, optionally with the path of the API (default: the path in the contract)',
    settingOf(httpUrl),
  )
  .option('--contracts <dir>', 'folder of the contract (default: the output of contracts/)')
  .option(
    '--token <jwt>',
    'the caller that creates rows (default: tokens signed with JWT_SECRET, or with the development key of DATA_DIR)',
  )
  .option('--other-token <jwt>', 'another caller with the same scopes, to check the visibility of rows')
  .addOption(new Option('--runs <n>', 'number of sequences to try').argParser(wholeNumber(0, MAX)).default(100))
  .option('--seed <n>', 'number that determines the sequences (default: random)', wholeNumber(0, MAX))
  .option('--strict', 'also exit with 1 if an operation with a handler never succeeded')
  .action(async (options) => {
    const { verifyServer } = await import('../src/proving/verify-server.ts');
    process.exitCode = await verifyServer(options);
  });

if (import.meta.main) void runScript(command);
