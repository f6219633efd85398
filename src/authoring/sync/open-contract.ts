import type { GraphQLSchema } from 'graphql';
import { buildModel } from '../../compiler/build-model.ts';
import { type Finding, isError } from '../../compiler/findings/index.ts';
import { type ContractSide, sdlFacts } from '../../compiler/graphql/convention/index.ts';
import { graphqlView } from '../../compiler/graphql/names/index.ts';
import { collidingOperations, nameCollisions } from '../../compiler/graphql/parity/index.ts';
import type { ContractSource } from '../../compiler/model/index.ts';
import { draftContract } from '../../compiler/model/resources/index.ts';
import type { ContractFiles } from './contract-files.ts';
import { schemaWithout } from './coordinates.ts';
import { OpenApiWriter } from './openapi-writer.ts';

/** A contract that something is added to, in memory. */
export interface OpenContract {
  readonly files: ContractFiles;
  /** As it was when it was opened, in GraphQL's names, and located where the files have it. */
  readonly source: ContractSource;
  readonly side: ContractSide;
  readonly writer: OpenApiWriter;
}

/** One that has both halves. */
export interface OpenPair extends OpenContract {
  readonly schema: GraphQLSchema;
}

/** The errors for which nothing can be derived from a contract. */
export interface Unreadable {
  readonly findings: readonly Finding[];
}

export async function openContract(files: ContractFiles): Promise<OpenContract | Unreadable> {
  const source = await files.source();
  const side = contractSide(source);
  if ('findings' in side) return side;
  const located = { ...source, document: side.document, locate: side.draft.source.locate };
  return { files, source: located, side, writer: new OpenApiWriter(files, source) };
}

/**
 * Undefined for a contract that has one half, or that nothing can be derived from. The schema is without `removed`, by coordinates.
 */
export async function openPair(files: ContractFiles, removed?: ReadonlySet<string>): Promise<OpenPair | undefined> {
  const contract = await openContract(files);
  if ('findings' in contract || !contract.side.schema) return undefined;
  const { sdl } = contract.source;
  const schema = removed && sdl ? schemaWithout(sdl.document, removed) : contract.side.schema;
  return { ...contract, side: { ...contract.side, schema }, schema };
}

export const errorsOf = (source: ContractSource): readonly Finding[] => buildModel(source).findings.filter(isError);

/** Errors that are not among those before, at whatever place. */
export function newErrors(errors: readonly Finding[], before: readonly Finding[]): readonly Finding[] {
  const known = new Set(before.map(wordsOf));
  return errors.filter((one) => !known.has(wordsOf(one)));
}

const wordsOf = ({ rule, message }: Finding): string => `${rule} ${message}`;

/** Whether a part of the SDL cannot be read, so that nothing is known to be missing from it. */
export const isUnread = ({ rule }: Finding): boolean => rule === 'sdl-syntax' || rule === 'sdl-root';

/** What has been worked out of a contract: one command opens the same time and again between what it adds. */
const SIDES = new WeakMap<ContractSource, ContractSide | Unreadable>();

/** Both sides of a contract, or the errors for which the OpenAPI side or the files of the SDL cannot be read. */
export function contractSide(source: ContractSource): ContractSide | Unreadable {
  const side = SIDES.get(source) ?? sideOf(source);
  SIDES.set(source, side);
  return side;
}

function sideOf(source: ContractSource): ContractSide | Unreadable {
  const { sdl } = source;
  const { candidate, findings } = buildModel({ ...source, sdl: undefined });
  // Names to include are fields of the SDL, if it is there.
  const own = findings.filter((one) => isError(one) && !(sdl && one.rule === 'include'));
  const errors = [...own, ...(sdl?.findings ?? []).filter(isUnread)];
  if (!candidate || errors.length > 0) return { findings: errors };
  // An SDL is derived in the names of GraphQL, where no two of them collide.
  const written = draftContract({ ...source, sdl: undefined });
  // What has no SDL yet may leave operations to REST.
  const leftOut = sdl ? [] : collidingOperations(written, undefined).keys();
  const collisions = nameCollisions(written, sdl?.schema, leftOut);
  if (collisions.length > 0) return { findings: collisions };
  const { draft, resources, names } = graphqlView(written, candidate.resources);
  const { document, operations } = draft;
  return { document, draft, operations, resources, names, schema: sdl?.schema, sdl: sdlFacts(sdl?.document) };
}
