import { defineCommand } from '../src/tools/define-command.ts';
import { choiceOption } from '../src/tools/option-values.ts';
import { runScript } from '../src/tools/run-command.ts';

const collect = (text: string, previous: readonly string[] = []): readonly string[] => [
  ...previous,
  ...text.split(','),
];

export const command = defineCommand('sync', {
  description: `Adds the missing parts of a contract to its files: the SDL from the OpenAPI document, the OpenAPI document from the SDL,
and both from resources.yaml, a list of resources with their fields:

  books:
    fields:
      title: string!
      author: ref(authors)!

Existing text stays as it is. Parts that cannot be derived are listed with the lines to add. Parts that one half has lost since the last
\`generate\` are listed, and not restored.`,
  examples: [
    { what: 'the changes, without writing them', args: '--dry-run' },
    { what: 'only the SDL, with the books of each author', args: '--from openapi --connection Author.books' },
  ],
})
  .option('--contracts <dir>', 'folder of the contract', 'contracts')
  .option('--out <dir>', 'folder of the generated files, in which both halves last agreed', 'generated')
  .option('--dry-run', 'print the differences, and write nothing')
  .addOption(
    choiceOption('--from <side>', 'derive from this half only, and restore the lost parts of the other', [
      'openapi',
      'graphql',
    ]),
  )
  .option('--connection <field>', 'add a list of the rows that refer to a type; may be repeated', collect)
  .action(async ({ connection, ...options }) => {
    const { syncContract } = await import('../src/authoring/sync-contract.ts');
    process.exitCode = await syncContract({ connections: connection, ...options });
  });

if (import.meta.main) void runScript(command);
