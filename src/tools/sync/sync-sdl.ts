import { buildModel } from '../../compiler/build-model.ts';
import type { Finding } from '../../compiler/findings/finding.ts';
import type { ContractSide } from '../../compiler/graphql/convention/contract-side.ts';
import { deriveSdl } from '../../compiler/graphql/convention/derive-sdl.ts';
import { sdlFacts } from '../../compiler/graphql/convention/sdl-facts.ts';
import { graphqlView } from '../../compiler/graphql/names/graphql-view.ts';
import { nameCollisions } from '../../compiler/graphql/parity/name-collisions.ts';
import { draftContract } from '../../compiler/model/resources/draft-contract.ts';
import type { ContractSource } from '../../compiler/model/source.ts';
import type { ContractFiles } from './contract-files.ts';
import { mergeSdl } from './merge-sdl.ts';

/** What cannot be derived, or the errors of the OpenAPI side, which nothing can be derived from. */
export type Derivation =
  | { readonly kind: 'derived'; readonly gaps: readonly string[] }
  | { readonly kind: 'refused'; readonly findings: readonly Finding[] };

/** Adds to the SDL of a contract what its OpenAPI side implies; a contract without SDL gets one. */
export async function syncSdl(files: ContractFiles): Promise<Derivation> {
  const source = await files.source();
  const side = contractSide(source);
  if ('findings' in side) return { kind: 'refused', findings: side.findings };
  const { definitions, gaps } = deriveSdl(side);
  const texts = new Map<string, string>();
  for (const path of source.sdl?.files ?? []) texts.set(path, (await files.read(path))!);
  const isSplit = files.has('paths') || files.has('schemas') || files.has('graphql');
  const changed = mergeSdl({ files: texts, isSplit }, definitions);
  for (const [path, text] of changed) await files.write(path, text);
  return { kind: 'derived', gaps };
}

/** Whether a part of the SDL cannot be read, so that nothing is known to be missing from it. */
export const isUnread = ({ rule }: Finding): boolean => rule === 'sdl-syntax' || rule === 'sdl-root';

/** Both sides of a contract, or the errors for which the OpenAPI side or the files of the SDL cannot be read. */
export function contractSide(source: ContractSource): ContractSide | { readonly findings: readonly Finding[] } {
  const { sdl } = source;
  const { candidate, findings } = buildModel({ ...source, sdl: undefined });
  const errors = [
    ...findings.filter(({ severity }) => severity === 'error'),
    ...(sdl?.findings ?? []).filter(isUnread),
  ];
  if (!candidate || errors.length > 0) return { findings: errors };
  // An SDL is derived in the names of GraphQL, where no two of them collide.
  const written = draftContract({ ...source, sdl: undefined });
  const collisions = nameCollisions(written, sdl?.schema);
  if (collisions.length > 0) return { findings: collisions };
  const { draft, resources, names } = graphqlView(written, candidate.resources);
  const { document, operations } = draft;
  return {
    document,
    draft,
    operations,
    resources,
    names,
    schema: sdl?.schema,
    sdl: sdlFacts(sdl?.document),
  };
}
