import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { resolveReference } from '../../../compiler/json-schema/index.ts';
import type { Node } from '../../../compiler/read/index.ts';
import { namesApart } from '../common/alike-names.ts';
import type { ClientInput, ClientLanguage, LeftOut } from '../common/client-language.ts';
import { ACCEPTED, acceptedTypes, operationsIn } from '../common/document-parts.ts';
import { generateMost } from '../common/generate-most.ts';
import { copyLayer, writeText } from '../common/layer.ts';
import { runTool } from '../common/run-tool.ts';
import { inScratchFolder } from '../common/scratch-folder.ts';
import { pythonDocument } from './python-document.ts';
import { pythonGenerator } from './python-generator.ts';
import { pythonGraphql } from './python-graphql.ts';
import { pythonIdentifier } from './python-identifiers.ts';
import { type PythonNames, pythonNames } from './python-names.ts';
import { pythonProblems } from './python-problems.ts';
import { pythonReadme } from './python-readme.ts';
import { type PythonMembers, pythonMembers } from './python-resources.ts';
import { pythonTemplates } from './python-templates.ts';

const LAYER = new URL('layer/', import.meta.url);
const GENERATOR = fileURLToPath(new URL('generator/', import.meta.url));

/** Python: openapi-python-client on httpx and attrs, with classes of resources, ariadne-codegen on pydantic, and a layer over both. */
export const pythonClient: ClientLanguage = { id: 'python', make };

async function make(given: ClientInput): Promise<readonly LeftOut[]> {
  const { python, templates, path } = await pythonGenerator();
  const names = pythonNames(given);
  const generate = (document: Node) =>
    inScratchFolder(async (scratch) => {
      const written = await pythonTemplates(templates, given);
      for (const [name, text] of written) await writeText(join(scratch, 'templates', name), text);
      await writeText(join(scratch, 'openapi.json'), JSON.stringify(document));
      await writeText(join(scratch, 'config.json'), JSON.stringify(configOf({ ...given, document }, names)));
      const plan = { ...membersOf({ ...given, document }), names: pythonNamesApart(document) };
      await writeText(join(scratch, 'resources.json'), JSON.stringify(plan));
      await runTool({
        command: python,
        args: generatorArguments(scratch, given.folder),
        missing: `${python} is missing.`,
        cwd: scratch,
        environment: {
          PATH: path,
          PYTHONPATH: GENERATOR,
          PYTHONUTF8: '1',
          PYTHONDONTWRITEBYTECODE: '1',
          RUFF_NO_CACHE: 'true',
        },
      });
    });
  const input = await generateMost({ ...given, document: pythonDocument(given.document) }, generate);
  const members = membersOf(input);
  await writeText(join(input.folder, 'README.md'), pythonReadme(input, names, members));
  const folder = join(input.folder, names.module);
  await copyLayer(LAYER, folder, { [ACCEPTED]: acceptedTypes(input.document) });
  await writeText(join(folder, 'problems.py'), await pythonProblems(new URL('problems.py', LAYER), input.errors));
  if (input.graphql) await pythonGraphql(input.graphql, folder);
  return input.leftOut;
}

/** Attributes that the generator gives each model. */
const OWN = ['additional_properties', 'additional_keys', 'to_dict', 'from_dict', 'to_multipart'];

/** Other names for properties and parameters that Python would call alike. */
function pythonNamesApart(document: Node): Readonly<Record<string, string>> {
  const { properties, parameters, all } = namesApart(document, pythonIdentifier);
  const own = OWN.filter((name) => all.has(name)).map((name) => [name, `own_${name}`]);
  return { ...Object.fromEntries(own), ...parameters, ...properties };
}

/** The members of the client that `input.document` describes. */
function membersOf({ document, resources }: ClientInput): PythonMembers {
  const { schemas = {} } = (document['components'] ?? {}) as { readonly schemas?: Node };
  const ids = operationsIn(document).map(({ operationId }) => String(operationId));
  return pythonMembers(resources, ids, Object.keys(schemas));
}

const configOf = ({ version, document }: ClientInput, { distribution, module }: PythonNames): object => ({
  project_name_override: distribution,
  package_name_override: module,
  package_version_override: version,
  docstrings_on_attributes: true,
  content_type_overrides: contentTypes(document),
});

/** Media types that the generator does not know: their bodies are bytes. */
function contentTypes(document: Node): Node {
  const holders = operationsIn(document).flatMap(({ requestBody, responses }) => [
    requestBody,
    ...Object.values(responses as Node),
  ]);
  const types = holders.flatMap((holder) =>
    Object.keys((resolveReference<Node>(document, holder as Node)?.['content'] ?? {}) as Node),
  );
  const unknown = types.filter(
    (type) =>
      !/[/+]json\b|^text\/[^;]*$|^multipart\/form-data|x-www-form-urlencoded|^application\/octet-stream/.test(type),
  );
  return Object.fromEntries(
    unknown.map((type) => [type, /^[^;]*[/+]xml$/.test(type) ? 'text/plain' : 'application/octet-stream']),
  );
}

const generatorArguments = (scratch: string, folder: string): string[] => [
  ...['-m', 'bound_client', 'generate', '--overwrite', '--fail-on-warning', '--meta', 'poetry'],
  ...['--path', join(scratch, 'openapi.json'), '--output-path', folder],
  ...['--config', join(scratch, 'config.json'), '--custom-template-path', join(scratch, 'templates')],
];
