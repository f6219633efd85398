import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { CompiledContract } from '../descriptor/compiled-contract.ts';
import { ConfigError } from '../descriptor/config-error.ts';
import { generatedGraphql } from './generated-graphql.ts';
import { generatedVersions } from './generated-versions.ts';

/** The contract that the compiler wrote to a folder, its URL with a trailing slash. Throws `ConfigError` if it is not there. */
export async function generatedContract(folder: URL): Promise<CompiledContract> {
  const path = new URL('openapi.json', folder);
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) throw new ConfigError([`There is no ${fileURLToPath(path)}; generate it first.`]);
  const [{ resources }, { errorCatalogue }, graphql, versions] = await Promise.all([
    import(new URL('resources.ts', folder).href) as Promise<Pick<CompiledContract, 'resources'>>,
    import(new URL('errors.ts', folder).href) as Promise<{ readonly errorCatalogue: CompiledContract['errors'] }>,
    generatedGraphql(folder),
    generatedVersions(folder),
  ]);
  const document = JSON.parse(text) as CompiledContract['document'];
  return { document, resources, errors: errorCatalogue, graphql, versions };
}
