import { httpUrl } from '../src/runtime/settings/kinds/index.ts';
import { defineCommand } from '../src/tools/define-command.ts';
import { settingOf } from '../src/tools/option-values.ts';
import { runScript } from '../src/tools/run-command.ts';

export const command = defineCommand('docs', {
  description:
    'Writes the documentation of a contract as static pages, for any web server or for the setting DOCS_DIR.',
  examples: [
    { what: 'the documentation of an API that is served at another address', args: '--url https://api.example.com' },
  ],
})
  .option('--contracts <dir>', 'folder of the contract', 'contracts')
  .option('--out <dir>', 'folder to write', 'dist/docs')
  .option('--url <url>', 'address of the API, without its path (default: from the contract)', settingOf(httpUrl))
  .action(async (options) => {
    const { writeDocs } = await import('../src/readers/write-docs.ts');
    const { answerSamples } = await import('../src/authoring/mock/index.ts');
    await writeDocs({ ...options, serveSamples: answerSamples });
  });

if (import.meta.main) void runScript(command);
