import { DESCRIPTOR, type ResourceDescriptor, targetIn } from './resource.ts';

type Row = Readonly<Record<string, unknown>>;

/** A query as its client has it. */
export interface AnyQuery {
  readonly queryKey: readonly unknown[];
  readonly state: { readonly data: unknown };
  /** Of the reading that goes on. */
  readonly promise: Promise<unknown> | undefined;
}

type Matches = (query: AnyQuery) => boolean;
type Matching = { readonly predicate: Matches };
type Exactly = { readonly queryKey: readonly unknown[]; readonly exact: true };

/** What is used of a `QueryClient`, whichever copy of the package its wrapper has. */
export interface AnyQueryClient {
  getQueryData(queryKey: readonly unknown[]): unknown;
  setQueryData(queryKey: readonly unknown[], update: (cached: unknown) => unknown): unknown;
  removeQueries(filters: Exactly): void;
  invalidateQueries(filters: Matching | Exactly): Promise<void>;
  getQueryCache(): { findAll(filters: Matching & { readonly fetchStatus: 'fetching' }): readonly AnyQuery[] };
}

/** Below the key of a resource: pages of its lists, lists page after page, and single resources. */
export type Kind = 'list' | 'pages' | 'one';

export const descriptorOf = (resource: object): ResourceDescriptor =>
  (resource as { readonly [DESCRIPTOR]: ResourceDescriptor })[DESCRIPTOR];

/** The prefix of the keys of all queries of a resource, for `invalidateQueries` and the like. */
export const resourceKey = (resource: object): readonly [path: string] => [descriptorOf(resource).path];

/** The same for a row and for its id. */
export function rowKey(descriptor: ResourceDescriptor, target: unknown): readonly unknown[] {
  const parameters = Object.entries(targetIn(descriptor, target)).map(([name, value]) => [name, String(value)]);
  return [descriptor.path, 'one' satisfies Kind, Object.fromEntries(parameters)];
}

/** Whether a query shows what a change of some row may change: lists of the resource, and what it belongs to. */
export function isChangedBy({ path }: ResourceDescriptor, [at, kind]: readonly unknown[]): boolean {
  return at === path ? kind !== 'one' : path.startsWith(`${String(at)}/`);
}

/**
 * Has queries read again. Those that are read for the first time, or for nobody who looks at them, go on, though they may show
 * what was before, and are read again after that.
 */
export async function readAgain(cache: AnyQueryClient, predicate: Matches): Promise<void> {
  const reading = cache.getQueryCache().findAll({ predicate, fetchStatus: 'fetching' });
  const promises = reading.map(({ promise }) => promise);
  const again = cache.invalidateQueries({ predicate });
  const kept = reading.filter(({ promise }, at) => promise === promises[at]);
  await Promise.allSettled([again, ...kept.map(({ promise }) => promise)]);
  if (kept.length > 0)
    await cache.invalidateQueries({ predicate: (query) => kept.includes(query) && predicate(query) });
}

/** A row that was answered, unless another state of it has a higher version. */
export const newer = <Data>(row: Data, other: Data | undefined): Data =>
  versionsAhead(Object(other), Object(row)) > 0 ? (other ?? row) : row;

/** By how many versions a row is newer than another state of it; NaN: what was created again is another row, and hashes have no order. */
export function versionsAhead(row: Row, other: Row): number {
  const [own, others] = [row['version'], other['version']];
  const isCounted = typeof own === 'number' && typeof others === 'number';
  return isCounted && creationOf(row) === creationOf(other) ? own - others : Number.NaN;
}

const creationOf = (row: Row): unknown => row['createdAt'] ?? row['created_at'];
