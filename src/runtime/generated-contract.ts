import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { CompiledContract } from '../descriptor/compiled-contract.ts';
import { ConfigError } from '../descriptor/config-error.ts';
import { generatedModule } from './generated-module.ts';
import type { Wiring } from './wiring.ts';

/** A generated contract with its generated wiring. */
export interface GeneratedContract extends CompiledContract {
  readonly wiring: Wiring;
}

/**
 * Loads the contract that the compiler has generated into a folder, whose URL must end with a slash. Throws `ConfigError`
 * if there is none.
 */
export async function generatedContract(folder: URL): Promise<GeneratedContract> {
  const document = await jsonOf(folder, 'openapi.json');
  const rest = await jsonOf(folder, 'rest.json');
  const [sdl, versions, tools] = await Promise.all(
    ['schema.graphql', 'versions.json', 'tools.json'].map((name) => textOf(folder, name)),
  );
  const [{ resources }, { errorCatalogue: errors }, { routes }] = await Promise.all([
    generatedModule<Pick<CompiledContract, 'resources'>>(folder, 'resources.ts'),
    generatedModule<{ readonly errorCatalogue: CompiledContract['errors'] }>(folder, 'errors.ts'),
    generatedModule<Pick<Wiring, 'routes'>>(folder, 'routes.ts'),
  ]);
  const contract = {
    document: document as CompiledContract['document'],
    rest: rest as CompiledContract['rest'],
    resources,
    errors,
    ...(versions !== undefined && { versions: JSON.parse(versions) as NonNullable<CompiledContract['versions']> }),
    ...(tools !== undefined && { tools: JSON.parse(tools) as NonNullable<CompiledContract['tools']> }),
  };
  if (sdl === undefined) return { ...contract, wiring: { routes } };
  const [{ graphql: descriptor }, { resolvers }] = await Promise.all([
    generatedModule<{ readonly graphql: NonNullable<CompiledContract['graphql']>['descriptor'] }>(folder, 'graphql.ts'),
    generatedModule<Pick<Wiring, 'resolvers'>>(folder, 'resolvers.ts'),
  ]);
  return { ...contract, graphql: { sdl, descriptor }, wiring: { routes, resolvers } };
}

/** Undefined if the file does not exist: the GraphQL side and old versions are optional. */
const textOf = (folder: URL, name: string): Promise<string | undefined> =>
  readFile(new URL(name, folder), 'utf8').catch(() => undefined);

/** Throws `ConfigError` if the file does not exist. */
async function jsonOf(folder: URL, name: string): Promise<unknown> {
  const text = await textOf(folder, name);
  if (text === undefined)
    throw new ConfigError([`There is no ${fileURLToPath(new URL(name, folder))}; generate it first.`]);
  return JSON.parse(text);
}
