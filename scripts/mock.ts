import { Option } from '@commander-js/extra-typings';
import { defineCommand } from '../src/tools/define-command.ts';
import { wholeNumber } from '../src/tools/option-values.ts';
import { runScript } from '../src/tools/run-command.ts';

const MAX = 999_999;

export const command = defineCommand('mock', {
  description: `Serves a contract with generated data: the real server, with every rule of the contract and without code, on a temporary database. Custom operations return values of their schemas. Settings are environment variables, as for \`start\`.

Two preferences of a request (RFC 7240) change the response:

  Prefer: code=NOT_FOUND   returns a declared error of the operation, by code or status
  Prefer: delay=500        delays the response by milliseconds`,
  examples: [
    { what: 'the same 100 rows of each resource every time', args: '--rows 100 --seed 7' },
    { what: 'a contract that has no code yet', args: '--contracts path/to/folder' },
  ],
})
  .option('--contracts <dir>', 'folder of the contract (default: the output of contracts/)')
  .addOption(new Option('--seed <n>', 'number that determines the rows').argParser(wholeNumber(0, MAX)).default(1))
  .addOption(
    new Option('--rows <n>', 'rows of each resource without a parent').argParser(wholeNumber(0, MAX)).default(25),
  )
  .action(async (options) => {
    const { serveMock } = await import('../src/authoring/serve-mock.ts');
    await serveMock(options);
  });

if (import.meta.main) void runScript(command);
