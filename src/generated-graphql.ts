import { readFile } from 'node:fs/promises';
import type { CompiledContract } from './compiled-contract.ts';

/** The GraphQL side of the generated contract; undefined when it is REST only, and has none of its files. */
export async function generatedGraphql(): Promise<CompiledContract['graphql']> {
  const folder = new URL('../generated/', import.meta.url);
  const sdl = await readFile(new URL('schema.graphql', folder), 'utf8').catch(() => undefined);
  if (sdl === undefined) return undefined;
  const { graphql } = await import(new URL('graphql.ts', folder).href);
  return { sdl, descriptor: graphql };
}
