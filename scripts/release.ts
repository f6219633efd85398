import { defineCommand } from '../src/tools/define-command.ts';
import { runScript } from '../src/tools/run-command.ts';

export const command = defineCommand('release', {
  description:
    'Records the contract as released, under the version that its changes require. The folder released/ next to the contract keeps both ' +
    'documents of each API version, and the changes of each release. From then on, a change that breaks callers is an error.',
  examples: [{ what: 'the next version and its changes, without recording them', args: '--dry-run' }],
})
  .option('--contracts <dir>', 'folder of the contract', 'contracts')
  .option('--out <dir>', 'folder of the generated files', 'generated')
  .option('--dry-run', 'print the version and the changes, and write nothing')
  .action(async ({ contracts, out, dryRun }) => {
    const { release } = await import('../src/authoring/release.ts');
    process.exitCode = await release({ contracts, out, isDryRun: dryRun });
  });

if (import.meta.main) void runScript(command);
