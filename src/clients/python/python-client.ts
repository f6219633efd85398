import { join } from 'node:path';
import type { ClientInput, ClientLanguage } from '../common/client-language.ts';
import { copyLayer, writeText } from '../common/layer.ts';
import { runTool } from '../common/run-tool.ts';
import { inScratchFolder } from '../common/scratch-folder.ts';
import { pythonDocument } from './python-document.ts';
import { pythonGenerator } from './python-generator.ts';
import { pythonGraphql } from './python-graphql.ts';
import { type PythonNames, pythonNames } from './python-names.ts';
import { pythonProblems } from './python-problems.ts';
import { pythonReadme } from './python-readme.ts';
import { pythonTemplates } from './python-templates.ts';

const LAYER = new URL('layer/', import.meta.url);

/** Python: openapi-python-client on httpx and attrs, ariadne-codegen on pydantic, and a layer over both. */
export const pythonClient: ClientLanguage = { id: 'python', make };

async function make(input: ClientInput): Promise<void> {
  const { python, templates, path } = await pythonGenerator();
  const names = pythonNames(input);
  await inScratchFolder(async (scratch) => {
    const written = await pythonTemplates(templates, pythonReadme(input, names), input);
    for (const [name, text] of written) await writeText(join(scratch, 'templates', name), text);
    await writeText(join(scratch, 'openapi.json'), JSON.stringify(pythonDocument(input.document)));
    await writeText(join(scratch, 'config.json'), JSON.stringify(configOf(input, names)));
    await runTool({
      command: python,
      args: generatorArguments(scratch, input.folder),
      missing: `${python} is missing.`,
      environment: { PATH: path, PYTHONUTF8: '1' },
    });
  });
  const folder = join(input.folder, names.module);
  await copyLayer(LAYER, folder, {});
  await writeText(join(folder, 'problems.py'), await pythonProblems(new URL('problems.py', LAYER), input.errors));
  if (input.graphql) await pythonGraphql(input.graphql, folder);
}

const configOf = ({ version }: ClientInput, { distribution, module }: PythonNames): object => ({
  project_name_override: distribution,
  package_name_override: module,
  package_version_override: version,
  docstrings_on_attributes: true,
});

const generatorArguments = (scratch: string, folder: string): string[] => [
  ...['-m', 'openapi_python_client', 'generate', '--overwrite', '--fail-on-warning', '--meta', 'poetry'],
  ...['--path', join(scratch, 'openapi.json'), '--output-path', folder],
  ...['--config', join(scratch, 'config.json'), '--custom-template-path', join(scratch, 'templates')],
];
