import { defineCommand } from '../src/tools/define-command.ts';
import { runScript } from '../src/tools/run-command.ts';

export const command = defineCommand('init', {
  description:
    'Creates a project: an OpenAPI and a GraphQL contract with one resource, handlers, and TypeScript settings.',
  examples: [
    { what: 'here', args: '' },
    { what: 'in a new folder, with another name', args: 'services/notes --name @acme/notes' },
  ],
})
  .argument('[dir]', 'folder of the project', '.')
  .option('--name <name>', 'name of the npm package (default: from package.json, otherwise the name of the folder)')
  .action(async (folder, { name }) => {
    const { initProject } = await import('../src/authoring/init-project.ts');
    await initProject(folder, name);
  });

if (import.meta.main) void runScript(command);
