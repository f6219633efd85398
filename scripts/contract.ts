import { REPORT_FORMATS } from '../src/authoring/report-formats.ts';
import { PIECES } from '../src/compiler/gate/pieces.ts';
import { postgresUrl } from '../src/runtime/settings/kinds/index.ts';
import { defineCommand } from '../src/tools/define-command.ts';
import { choiceOption, choicesOption, settingOf } from '../src/tools/option-values.ts';
import { runScript } from '../src/tools/run-command.ts';

export const command = defineCommand('contract', {
  description: `Checks a contract; exits with 1 on any error. The checks:

  lint        the rules of OpenAPI, by Redocly (redocly.yaml of the contract, of the project, or the built-in one)
  contract    the conventions, and that REST and GraphQL promise the same
  drift       that the generated files are those of the contract
  changes     that no caller who relies on the last release is broken
  consumers   that the contract has what the clients of its folder consumers/ send and call
  access      the contract's own tests of who may do what, in its access.yaml, over every protocol
  migrations  that the files of migrations/ run on an empty database`,
  examples: [
    { what: 'everything', args: '' },
    { what: 'a pull request, by what had been released before it', args: '--against origin/main' },
    { what: 'two checks, as annotations of a GitHub workflow', args: '--only drift,changes --format github' },
  ],
  usesOutput: ({ only = PIECES, fix }) => fix === true || (only as readonly string[]).includes('drift'),
})
  .option('--contracts <dir>', 'folder of the contract', 'contracts')
  .option('--out <dir>', 'folder of the generated files', 'generated')
  .option('--against <ref>', 'judge what the branch has changed since it left REF, by the releases that git has there')
  .addOption(choicesOption('--only <checks>', 'run these checks only, with commas between', PIECES))
  .addOption(choiceOption('--format <format>', 'format of the findings', REPORT_FORMATS).default('human'))
  .option(
    '--database <url>',
    'Postgres to run the files of migrations/ on: makes a database of its own beside the one named, and drops it (default: SQLite in memory)',
    settingOf(postgresUrl),
  )
  .option('--all', 'print every warning, not only the first few')
  .option('--fix', 'first write the edits that the findings come with')
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
