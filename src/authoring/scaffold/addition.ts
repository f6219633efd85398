import { join } from 'node:path';
import { type Finding, suggestion } from '../../compiler/findings/index.ts';
import type { ContractSide } from '../../compiler/graphql/convention/index.ts';
import { lowerFirst, upperFirst } from '../../compiler/model/index.ts';
import { ConfigError } from '../../descriptor/config-error.ts';
import type { ResourceDescriptor } from '../../descriptor/resource.ts';
import { ContractFiles, type FileChange } from '../sync/contract-files.ts';
import { errorsOf, type OpenContract, openContract } from '../sync/open-contract.ts';
import { type Removed, removedSince } from '../sync/removed.ts';
import { syncParameters } from '../sync/sync-conditions.ts';
import { syncSdl } from '../sync/sync-sdl.ts';

/** The files that were written, and how, or the errors that prevented it. */
export type Outcome =
  | {
      readonly kind: 'written';
      readonly files: readonly string[];
      /** In this folder. */
      readonly changes: readonly FileChange[];
      readonly folder: string;
      readonly hasGraphql: boolean;
    }
  | { readonly kind: 'refused'; readonly findings: readonly Finding[] };

/** An addition to the OpenAPI side of a contract. Throws `ConfigError` for names that are taken or not known. */
export type Addition = (contract: OpenContract) => Promise<void>;

/**
 * Adds something to the OpenAPI side of a contract, and what follows from it to its SDL. The result is judged in memory first, so
 * that either all files are written or none; `dryRun`: none. What the SDL has lost since the folder `out` was generated is not put back.
 * Throws what the addition throws.
 */
export async function addTo(
  contracts: string,
  addition: Addition,
  { out, dryRun = false }: { readonly out?: string; readonly dryRun?: boolean } = {},
): Promise<Outcome> {
  const files = await ContractFiles.open(contracts);
  const removed = out === undefined ? undefined : await removedSince(files, out);
  const findings = await added(files, addition, removed);
  if (findings.length > 0) return { kind: 'refused', findings };
  const { sdl } = await files.source();
  const { changes } = files;
  if (!dryRun) await files.save();
  const paths = changes.map(({ path }) => join(files.folder, path));
  return { kind: 'written', files: paths, changes, folder: files.folder, hasGraphql: sdl !== undefined };
}

/**
 * Makes an addition in memory; what the SDL has lost on purpose (`removed`) is not put back. Resolves with the errors that the contract has
 * before it, or would have after it.
 */
export async function added(files: ContractFiles, addition: Addition, removed?: Removed): Promise<readonly Finding[]> {
  const contract = await openContract(files);
  if ('findings' in contract) return contract.findings;
  await addition(contract);
  if (contract.source.sdl) {
    await syncParameters(files);
    const derived = await syncSdl(files, removed);
    if ('findings' in derived) return derived.findings;
  }
  return errorsOf(await files.source());
}

/** The path of a collection as a caller names it: `books`, `books/copies`. */
export const collectionOf = ({ path }: ResourceDescriptor): string =>
  path
    .split('/')
    .filter((segment) => segment !== '' && !segment.startsWith('{'))
    .join('/');

/** The resource of a collection, such as `books` or `books/copies`. Throws `ConfigError`. */
export function resourceNamed({ resources }: Pick<ContractSide, 'resources'>, collection: string): ResourceDescriptor {
  const found = resources.find((resource) => collectionOf(resource) === collection);
  if (found) return found;
  const known = resources.map(collectionOf);
  const meant = resources.find(({ name }) => name === upperFirst(collection));
  const near = meant ? collectionOf(meant) : collection;
  const hint = known.length === 0 ? 'the contract has none yet.' : suggestion(near, known);
  throw new ConfigError([`${collection}: unknown collection; ${lowerFirst(hint)}`]);
}

/** Throws `ConfigError` for a property that a resource does not have. */
export function propertyNamed(resource: ResourceDescriptor, name: string): ResourceDescriptor['properties'][number] {
  const found = resource.properties.find((property) => property.name === name);
  if (found) return found;
  const known = resource.properties.map((property) => property.name);
  throw new ConfigError([`${resource.name} has no property ${name}; ${lowerFirst(suggestion(name, known))}`]);
}
