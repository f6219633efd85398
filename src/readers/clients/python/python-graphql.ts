import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { documentTexts } from '../../../compiler/emit/clients/index.ts';
import type { GraphqlInput } from '../common/client-language.ts';
import { writeText } from '../common/layer.ts';
import { runTool } from '../common/run-tool.ts';
import { customScalars } from '../common/scalars.ts';
import { inScratchFolder } from '../common/scratch-folder.ts';
import { PYTHON_MISSING, pythonEnvironment } from './python-environment.ts';

const VERSION = '0.19.0';
const REQUIREMENTS = fileURLToPath(new URL('graphql/requirements.txt', import.meta.url));
const LAYER = fileURLToPath(new URL('graphql/', import.meta.url));

/** Types of the contract's scalars; any other is what JSON has. */
const SCALARS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  BigInt: { type: 'int', serialize: 'str' },
  Date: { type: 'datetime.date' },
  DateTime: { type: 'datetime.datetime' },
  Decimal: { type: 'decimal.Decimal' },
  EmailAddress: { type: 'str' },
  SafeInt: { type: 'int' },
  URL: { type: 'str' },
};

/** Writes the package `graphql` into a Python client, by ariadne-codegen. Throws `ConfigError`. */
export async function pythonGraphql(graphql: GraphqlInput, folder: string): Promise<void> {
  const { python } = await pythonEnvironment(`ariadne-codegen-${VERSION}`, REQUIREMENTS);
  const { sdl, ownDocuments, creating } = graphql;
  await inScratchFolder(async (scratch) => {
    await writeText(join(scratch, 'schema.graphql'), sdl);
    await writeText(join(scratch, 'documents.graphql'), [...documentTexts(graphql), ownDocuments].join('\n'));
    await writeText(
      join(scratch, 'creating.py'),
      `"""Mutations that create: the server keeps their \`Idempotency-Key\`."""\n\nCREATING: frozenset[str] = frozenset(${JSON.stringify(creating)})\n`,
    );
    await writeText(join(scratch, 'pyproject.toml'), configOf(graphql, folder));
    await runTool({
      command: python,
      args: ['-m', 'ariadne_codegen', '--config', 'pyproject.toml'],
      missing: PYTHON_MISSING,
      cwd: scratch,
      environment: { PYTHONPATH: LAYER, PYTHONUTF8: '1', PYTHONDONTWRITEBYTECODE: '1' },
    });
  });
}

function configOf({ schema }: GraphqlInput, folder: string): string {
  const options = {
    schema_path: 'schema.graphql',
    queries_path: 'documents.graphql',
    target_package_name: 'graphql',
    target_package_path: folder,
    base_client_name: 'BaseClient',
    base_client_file_path: join(LAYER, 'base_client.py'),
    files_to_include: ['creating.py', join(LAYER, 'events.py')],
    plugins: ['names.Names'],
    include_comments: 'stable',
    // Names as in Python for type checkers, too, which take an alias for the name.
    use_alias_generator: true,
    include_all_inputs: false,
    include_all_enums: false,
  };
  const tables = customScalars(schema).map((name) =>
    tableOf(`tool.ariadne-codegen.scalars.${name}`, SCALARS[name] ?? { type: 'Any' }),
  );
  return [tableOf('tool.ariadne-codegen', options), ...tables].join('\n');
}

/** A table of TOML; its texts and lists are those of JSON. */
const tableOf = (name: string, values: object): string =>
  `[${name}]\n${Object.entries(values)
    .map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`)
    .join('')}`;
