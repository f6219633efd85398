import { defineCommand } from '../src/tools/define-command.ts';
import { runScript } from '../src/tools/run-command.ts';

export const command = defineCommand('generate', {
  description:
    'Compiles a contract and lists the implementation of each operation, or all errors with file, line and remedy.',
  examples: [
    { what: 'compile contracts/ into generated/', args: '' },
    { what: 'fail if generated/ is not up to date, and name the files', args: '--check' },
  ],
})
  .option('--contracts <dir>', 'folder with openapi.yaml', 'contracts')
  .option('--out <dir>', 'folder to write', 'generated')
  .option('--check', 'write nothing; exit with 1 and name each file that is not up to date')
  .option('--all', 'print every warning, not only the first few')
  .action(async (options) => {
    const { generate } = await import('../src/authoring/generate.ts');
    process.exitCode = await generate(options);
  });

if (import.meta.main) void runScript(command);
