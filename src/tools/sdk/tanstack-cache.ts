import { DESCRIPTOR, type ResourceDescriptor, targetIn } from './resource.ts';

type Row = Readonly<Record<string, unknown>>;

/** A query as its client has it. */
export interface AnyQuery {
  readonly queryKey: readonly unknown[];
  readonly state: { readonly data: unknown };
}

type Matching = { readonly predicate: (query: AnyQuery) => boolean };
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

/** What the keys of all queries of a resource begin with, for `invalidateQueries` and the like. */
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

/** Of two states of a row the one of the higher version. What was created again is another row. */
export const newer = <Data>(row: Data, other: Data | undefined): Data =>
  other !== undefined && isAsNew(Object(other), Object(row)) ? other : row;

/** Whether a row is as new as another state of it. */
export const isAsNew = (row: Row, other: Row): boolean =>
  creationOf(row) === creationOf(other) && Number(row['version']) >= Number(other['version']);

const creationOf = (row: Row): unknown => row['createdAt'] ?? row['created_at'];
