import { Option } from '@commander-js/extra-typings';
import { defineCommand } from '../src/tools/define-command.ts';
import { wholeNumber } from '../src/tools/option-values.ts';
import { runScript } from '../src/tools/run-command.ts';

const MAX = 999_999;

export const command = defineCommand('mock', {
  description: `Serves a contract with data made from it: the real server, with every rule of the contract and no code, on a database that ends with it. Custom operations answer what their schemas describe. Settings are environment variables, as for \`start\`.

Two preferences of a request (RFC 7240) change its answer:

  Prefer: code=NOT_FOUND   answers an error that the operation declares, by its code or status
  Prefer: delay=500        answers after so many milliseconds`,
  examples: [
    { what: 'the same 100 rows of each resource every time', args: '--rows 100 --seed 7' },
    { what: 'a contract that has no code yet', args: '--contracts path/to/folder' },
  ],
})
  .option('--contracts <dir>', 'folder of the contract (default: what was generated from contracts/)')
  .addOption(
    new Option('--seed <n>', 'make the same rows for the same number').argParser(wholeNumber(0, MAX)).default(1),
  )
  .addOption(
    new Option('--rows <n>', 'rows of each resource that belongs to no other')
      .argParser(wholeNumber(0, MAX))
      .default(25),
  )
  .action(async (options) => {
    const { serveMock } = await import('../src/authoring/serve-mock.ts');
    await serveMock(options);
  });

if (import.meta.main) void runScript(command);
