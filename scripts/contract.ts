import { REPORT_FORMATS } from '../src/authoring/report-formats.ts';
import { PIECES } from '../src/compiler/pieces.ts';
import { postgresUrl } from '../src/runtime/settings/kinds/index.ts';
import { defineCommand } from '../src/tools/define-command.ts';
import { choiceOption, choicesOption, settingOf } from '../src/tools/option-values.ts';
import { runScript } from '../src/tools/run-command.ts';

export const command = defineCommand('contract', {
  description: `Checks a contract; exits with 1 on any error. The checks:

  lint        the rules of OpenAPI, by Redocly (redocly.yaml of the contract, of the project, or the built-in one)
  contract    the conventions, and the parity of REST and GraphQL
  drift       the generated files match the contract
  changes     no change breaks clients of the last release
  consumers   the documents and calls of the clients in consumers/ fit the contract
  access      the access tests in access.yaml succeed over every protocol
  migrations  the files of migrations/ run on an empty database`,
  examples: [
    { what: 'everything', args: '' },
    { what: 'a pull request, compared with the releases before it', args: '--against origin/main' },
    { what: 'two checks, as annotations of a GitHub workflow', args: '--only drift,changes --format github' },
  ],
  usesOutput: ({ only = PIECES, fix }) => fix === true || (only as readonly string[]).includes('drift'),
})
  .option('--contracts <dir>', 'folder of the contract', 'contracts')
  .option('--out <dir>', 'folder of the generated files', 'generated')
  .option(
    '--against <ref>',
    'judge only the changes of this branch since it left REF, by the releases at that point in git',
  )
  .addOption(choicesOption('--only <checks>', 'run only these checks, separated by commas', PIECES))
  .addOption(choiceOption('--format <format>', 'format of the findings', REPORT_FORMATS).default('human'))
  .option(
    '--database <url>',
    'Postgres for the files of migrations/: creates a temporary database on the server (default: SQLite in memory)',
    settingOf(postgresUrl),
  )
  .option('--all', 'print every warning, not only the first few')
  .option('--fix', 'write the edits of the findings first')
  .action(async ({ only = PIECES, fix, ...options }, self) => {
    if (options.against !== undefined && !only.includes('changes'))
      self.error('error: --against is of the check changes, which --only leaves out');
    if (fix) {
      const { fixContract } = await import('../src/authoring/fix-contract.ts');
      await fixContract(options.contracts, options.out);
    }
    const { checkContract } = await import('../src/authoring/check-contract.ts');
    process.exitCode = await checkContract({ pieces: only, ...options });
  });

if (import.meta.main) void runScript(command);
