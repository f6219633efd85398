import { readFile } from 'node:fs/promises';
import type { CompiledContract } from '../descriptor/compiled-contract.ts';

/** The GraphQL side of a generated contract; undefined when it is REST only, and has none of its files. */
export async function generatedGraphql(folder: URL): Promise<CompiledContract['graphql']> {
  const sdl = await readFile(new URL('schema.graphql', folder), 'utf8').catch(() => undefined);
  if (sdl === undefined) return undefined;
  const { graphql } = await import(new URL('graphql.ts', folder).href);
  return { sdl, descriptor: graphql };
}
