import { defineCommand } from '../src/tools/define-command.ts';
import { runScript } from '../src/tools/run-command.ts';

export const command = defineCommand('init', {
  description: 'Starts a project: two contracts with one resource, handlers, and the settings of TypeScript.',
  examples: [
    { what: 'here', args: '' },
    { what: 'in a new folder, under a name of its own', args: 'services/notes --name @acme/notes' },
  ],
})
  .argument('[dir]', 'folder of the project', '.')
  .option('--name <name>', 'name of the npm package (default: that in its package.json, else the name of the folder)')
  .action(async (folder, { name }) => {
    const { initProject } = await import('../src/authoring/init-project.ts');
    await initProject(folder, name);
  });

if (import.meta.main) void runScript(command);
