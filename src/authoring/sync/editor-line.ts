import { dirname, posix } from 'node:path';

const MODELINE = '# yaml-language-server: $schema=';
const OF_DOCUMENT = 'editor/openapi.json';

/** The schema of what a folder of a contract holds. */
const SCHEMAS: Readonly<Record<string, string>> = {
  paths: 'path-item',
  parameters: 'parameter',
  responses: 'response',
  schemas: 'schema',
};

/**
 * The text of a YAML file with a first line that names its JSON Schema to editors. `path` is below the contract's folder,
 * `generated` the path from there to the output.
 */
export function withEditorLine(path: string, text: string, generated: string): string {
  const folder = dirname(path);
  const schema = folder === '.' ? OF_DOCUMENT : `editor/${SCHEMAS[folder.split('/')[0]!] ?? 'schema'}.json`;
  return `${MODELINE}${posix.relative(folder, posix.join(generated, schema))}\n${text}`;
}

/** Where the output is, as the line of `openapi.yaml` says; undefined without one. */
export function outputNamedIn(openapi: string): string | undefined {
  const line = openapi.split('\n').find((one) => one.startsWith(MODELINE) && one.endsWith(OF_DOCUMENT));
  return line?.slice(MODELINE.length, -OF_DOCUMENT.length);
}
