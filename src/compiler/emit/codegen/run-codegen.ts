import type { CodegenConfig } from '@graphql-codegen/cli';
import { buildSchema, type GraphQLSchema, lexicographicSortSchema } from 'graphql';

/** The schema that graphql-codegen makes of SDL, which it parses and prints several times on the way. */
export const codegenSchema = (sdl: string): GraphQLSchema =>
  lexicographicSortSchema(buildSchema(sdl, { assumeValidSDL: true }));

/**
 * The text of each output file of a configuration, by its path as configured; files are left alone and hooks do not run.
 * Throws graphql-codegen's `AggregateError` when one of the files cannot be made. Loading graphql-codegen takes longer than
 * all else that the compiler does, so only output loads it.
 */
export async function runCodegen(config: CodegenConfig): Promise<ReadonlyMap<string, string>> {
  const { executeCodegen } = await import('@graphql-codegen/cli');
  const { result, error } = await executeCodegen({ ...config, silent: true });
  if (error) throw error;
  return new Map(result.filter(({ content }) => content !== '').map(({ filename, content }) => [filename, content]));
}
