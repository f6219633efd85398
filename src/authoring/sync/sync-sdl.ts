import { deriveSdl } from '../../compiler/graphql/convention/index.ts';
import type { ContractFiles } from './contract-files.ts';
import { mergeSdl } from './merge-sdl.ts';
import { contractSide, type Unreadable } from './open-contract.ts';
import { type Removed, withoutRemoved } from './removed.ts';

const NOTHING_TO_READ =
  'which field `Query` has, which GraphQL requires: no operation that GraphQL can have is a `GET` with an answer. Add one, or go on without an SDL, over REST alone.';

/**
 * Adds to the SDL of a contract what its OpenAPI side implies, but for what the SDL has lost on purpose, and for operations that are
 * `leftOut`, by id; a contract without SDL gets one. Resolves with what cannot be derived.
 */
export async function syncSdl(
  files: ContractFiles,
  removed?: Removed,
  leftOut: ReadonlySet<string> = new Set(),
): Promise<{ readonly gaps: readonly string[] } | Unreadable> {
  const source = await files.source();
  const side = contractSide(source);
  if ('findings' in side) return side;
  const { sdl } = side;
  const operationIds = new Map([...sdl.operationIds, ...(removed?.operationIds ?? [])]);
  const operations = side.operations.filter(({ operationId }) => !leftOut.has(operationId));
  const { definitions, gaps } = deriveSdl({ ...side, operations, sdl: { ...sdl, operationIds } });
  const kept = removed ? withoutRemoved(definitions, removed) : definitions;
  // An SDL without `Query` is refused; without an SDL, the document is served over REST alone.
  if (!source.sdl && !kept.some(({ name }) => name === sdl.roots.query))
    return { gaps: definitions.some(({ name }) => name === sdl.roots.mutation) ? [NOTHING_TO_READ, ...gaps] : gaps };
  await mergeSdl(files, source.sdl?.files ?? [], kept);
  return { gaps };
}
