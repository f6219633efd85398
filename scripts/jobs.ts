import { defineCommand } from '../src/tools/define-command.ts';
import { choiceArgument, choiceOption } from '../src/tools/option-values.ts';
import { runScript } from '../src/tools/run-command.ts';

export const command = defineCommand('jobs', {
  description:
    'Lists the jobs of the database of DATABASE_URL, shows one with its input, runs one again at once, or removes it. ' +
    'Held jobs are sent, and not run until they are released. ' +
    'Inputs may be personal data: only show prints them.',
  examples: [
    { what: 'the jobs that are not tried again', args: 'list --state dead' },
    { what: 'run one of them again', args: 'repeat 42' },
    { what: 'run jobs in a database that was restored or copied', args: 'release' },
  ],
})
  .addArgument(choiceArgument('<action>', 'what to do', ['list', 'show', 'repeat', 'drop', 'hold', 'release']))
  .argument('[id]', 'id of the job, for show, repeat and drop')
  .addOption(choiceOption('--state <state>', 'with list: only these jobs', ['waiting', 'running', 'dead', 'held']))
  .option('--name <name>', 'with list: only jobs of this name')
  .addOption(choiceOption('--format <format>', 'of the list', ['text', 'json']).default('text' as const))
  .action(async (action, id, options) => {
    const { manageJobs } = await import('../src/authoring/manage-jobs.ts');
    process.exitCode = await manageJobs(action, id, options);
  });

if (import.meta.main) void runScript(command);
