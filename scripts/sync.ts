import { defineCommand } from '../src/tools/define-command.ts';
import { choiceOption } from '../src/tools/option-values.ts';
import { runScript } from '../src/tools/run-command.ts';

const collect = (text: string, previous: readonly string[] = []): readonly string[] => [
  ...previous,
  ...text.split(','),
];

export const command = defineCommand('sync', {
  description: `Derives what a contract lacks, into its own files: the SDL from the OpenAPI document, the OpenAPI document from the SDL,
and both from resources.yaml, a list of resources with their fields:

  books:
    fields:
      title: string!
      author: ref(authors)!

What is there stays as it is written. What nothing implies is listed with the lines to add, and so is what one half has lost since both agreed,
when \`generate\` last ran: it is not put back.`,
  examples: [
    { what: 'what would be written', args: '--dry-run' },
    { what: 'the SDL only, with the books of each author', args: '--from openapi --connection Author.books' },
  ],
})
  .option('--contracts <dir>', 'folder of the contract', 'contracts')
  .option('--out <dir>', 'folder of the generated files, from when both halves agreed', 'generated')
  .option('--dry-run', 'print the differences, and write nothing')
  .addOption(
    choiceOption('--from <side>', 'derive from this side only, also what the other has lost', ['openapi', 'graphql']),
  )
  .option('--connection <field>', 'add this list of what refers to a type; may be given several times', collect)
  .action(async ({ connection, ...options }) => {
    const { syncContract } = await import('../src/authoring/sync-contract.ts');
    process.exitCode = await syncContract({ connections: connection, ...options });
  });

if (import.meta.main) void runScript(command);
