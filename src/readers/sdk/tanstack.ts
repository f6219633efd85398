import type { DataTag, InfiniteData } from '@tanstack/query-core';
import { ApiError } from './api-error.ts';
import type { Client } from './client.ts';
import type { AnyPage, List } from './list.ts';
import type { CallOptions } from './operation.ts';
import { type CreateOptions, parentIn, type ResourceDescriptor, type WriteOptions } from './resource.ts';
import {
  type AnyQueryClient,
  descriptorOf,
  isChangedBy,
  type Kind,
  newer,
  readAgain,
  rowKey,
} from './tanstack-cache.ts';

/** Options of a query: a page of a list, or a resource. The client itself sends again what is worth it. */
export interface ResourceQuery<Data> {
  readonly queryKey: DataTag<readonly unknown[], Data, Error>;
  readonly queryFn: (context: { readonly client: AnyQueryClient; readonly signal: AbortSignal }) => Promise<Data>;
  readonly retry: false;
}

type Cursor = string | undefined;

/** Options of an infinite query: the pages of a list. */
export interface ResourcePages<Page> {
  readonly queryKey: DataTag<readonly unknown[], InfiniteData<Page, Cursor>, Error>;
  readonly queryFn: (context: { readonly pageParam: Cursor; readonly signal: AbortSignal }) => Promise<Page>;
  readonly initialPageParam: Cursor;
  readonly getNextPageParam: (page: Page) => Cursor;
  readonly getPreviousPageParam: (page: Page) => Cursor;
  readonly retry: false;
}

/** Options of a mutation, which leaves `onSuccess` and the like to others. */
export interface ResourceMutation<Data, Variables> {
  readonly mutationKey: readonly [path: string, action: string];
  readonly mutationFn: (variables: Variables, context: { readonly client: AnyQueryClient }) => Promise<Data>;
}

type Action = (client: Client, ...args: never) => unknown;
type ArgsOf<Called> = Called extends (client: Client, ...args: infer Args) => unknown ? Args : never;
type PageOf<Called> = Called extends (...args: never) => List<infer Page> ? Page : never;
type DataOf<Called> = Called extends (...args: never) => Promise<infer Data> ? Data : never;
type TargetOf<Called> = ArgsOf<Called> extends readonly [infer Target, ...unknown[]] ? Target : never;
type BodyOf<Called> = ArgsOf<Called> extends readonly [unknown, infer Body, ...unknown[]] ? Body : never;
/** Variables of a creation: the ids of its parents, if it has any, and its input. */
type ParentOf<Args> = Args extends readonly [infer Parent, unknown, CreateOptions?]
  ? readonly [parent: Parent]
  : readonly [];
type InputOf<Args> = Args extends readonly [unknown, infer Input, CreateOptions?]
  ? Input
  : Args extends readonly [infer Input, CreateOptions?]
    ? Input
    : never;

type Row = Readonly<Record<string, unknown>>;
type Call = (client: Client, ...args: readonly unknown[]) => Promise<Row>;

/** The first page of a list. */
export function listOptions<Resource extends { readonly list: Action }>(
  client: Client,
  resource: Resource,
  ...args: ArgsOf<Resource['list']>
): ResourceQuery<PageOf<Resource['list']>> {
  const { queryKey, listed } = listIn<PageOf<Resource['list']>>(client, resource, 'list', args);
  return {
    queryKey: queryKey as ResourceQuery<PageOf<Resource['list']>>['queryKey'],
    queryFn: ({ signal }) => listed(signal).page(),
    retry: false,
  };
}

/** A list page after page. */
export function infiniteOptions<Resource extends { readonly list: Action }>(
  client: Client,
  resource: Resource,
  ...args: ArgsOf<Resource['list']>
): ResourcePages<PageOf<Resource['list']>> {
  const { queryKey, listed } = listIn<PageOf<Resource['list']>>(client, resource, 'pages', args);
  return {
    queryKey: queryKey as ResourcePages<PageOf<Resource['list']>>['queryKey'],
    queryFn: ({ pageParam, signal }) => listed(signal).page(pageParam),
    initialPageParam: undefined,
    getNextPageParam: ({ page }) => page.nextCursor ?? page.next_cursor ?? undefined,
    getPreviousPageParam: ({ page }) => page.previousCursor ?? page.previous_cursor ?? undefined,
    retry: false,
  };
}

function listIn<Page extends AnyPage<unknown>>(
  client: Client,
  resource: { readonly list: Action },
  kind: Kind,
  args: readonly unknown[],
) {
  const descriptor = descriptorOf(resource);
  const isNested = descriptor.parents !== undefined;
  const [query = {}, options] = (isNested ? args.slice(1) : args) as [object?, CallOptions?];
  const parent = isNested ? parentIn(descriptor, args[0] as Row) : {};
  const list = resource.list as (client: Client, ...args: readonly unknown[]) => List<Page>;
  const listed = (signal: AbortSignal) => list(client, ...(isNested ? [args[0]] : []), query, { ...options, signal });
  const queryKey: readonly unknown[] = [descriptor.path, kind, parent, query];
  return { queryKey, listed };
}

/** A resource. An older version never replaces it in the cache. */
export function getOptions<Resource extends { readonly get: Action }>(
  client: Client,
  resource: Resource,
  target: TargetOf<Resource['get']>,
  options?: CallOptions,
): ResourceQuery<DataOf<Resource['get']>> {
  const queryKey = rowKey(descriptorOf(resource), target);
  const get = resource.get as (client: Client, ...args: readonly unknown[]) => Promise<DataOf<Resource['get']>>;
  return {
    queryKey: queryKey as ResourceQuery<DataOf<Resource['get']>>['queryKey'],
    queryFn: async ({ client: cache, signal }) => {
      const row = await get(client, target, { ...options, signal });
      return newer(row, cache.getQueryData(queryKey) as typeof row | undefined);
    },
    retry: false,
  };
}

/** `mutate(input)` creates. */
export function createOptions<Resource extends { readonly create: Action }>(
  client: Client,
  resource: Resource,
  ...parent: ParentOf<ArgsOf<Resource['create']>>
): ResourceMutation<DataOf<Resource['create']>, InputOf<ArgsOf<Resource['create']>>> {
  const create = resource.create as Call;
  return mutationOf(resource, 'create', (input) => [Object(parent.at(0)), create(client, ...parent, input)]);
}

/** `mutate({ target, patch })` applies to the version of the target, or else to the one that the cache has. */
export function updateOptions<Resource extends { readonly update: Action }>(
  client: Client,
  resource: Resource,
  options?: WriteOptions,
): ResourceMutation<
  DataOf<Resource['update']>,
  { readonly target: TargetOf<Resource['update']>; readonly patch: BodyOf<Resource['update']> }
> {
  const update = resource.update as Call;
  return mutationOf(resource, 'update', ({ target, patch }, read) => [
    target,
    update(client, read(target), patch, options),
  ]);
}

/** `mutate({ target, input })` applies to the version of the target, or else to the one that the cache has. */
export function replaceOptions<Resource extends { readonly replace: Action }>(
  client: Client,
  resource: Resource,
  options?: WriteOptions,
): ResourceMutation<
  DataOf<Resource['replace']>,
  { readonly target: TargetOf<Resource['replace']>; readonly input: BodyOf<Resource['replace']> }
> {
  const replace = resource.replace as Call;
  return mutationOf(resource, 'replace', ({ target, input }, read) => [
    target,
    replace(client, read(target), input, options),
  ]);
}

/** `mutate({ target, patchOf })` reads, changes, and does both again when another change got in between. */
export function changeOptions<Resource extends { readonly change: Action }>(
  client: Client,
  resource: Resource,
  options?: CallOptions,
): ResourceMutation<
  DataOf<Resource['change']>,
  { readonly target: TargetOf<Resource['change']>; readonly patchOf: BodyOf<Resource['change']> }
> {
  const change = resource.change as Call;
  return mutationOf(resource, 'change', ({ target, patchOf }) => [target, change(client, target, patchOf, options)]);
}

/** `mutate(target)` deletes the version of the target, or else the one that the cache has. */
export function deleteOptions<Resource extends { readonly delete: Action }>(
  client: Client,
  resource: Resource,
  options?: WriteOptions,
): ResourceMutation<void, TargetOf<Resource['delete']>> {
  const remove = resource.delete as Call;
  return mutationOf(resource, 'delete', (target, read) => [target, remove(client, read(target), options)]);
}

type Written = readonly [target: unknown, row: Promise<Row | undefined>];

function mutationOf<Data, Variables>(
  resource: object,
  action: string,
  write: (variables: Variables, read: (target: unknown) => unknown) => Written,
): ResourceMutation<Data, Variables> {
  const descriptor = descriptorOf(resource);
  const mutationFn = async (variables: Variables, { client: cache }: { readonly client: AnyQueryClient }) => {
    const [target, written] = write(variables, (given) => readIn(cache, descriptor, given));
    try {
      const row = await written;
      const queryKey = rowKey(descriptor, row ? { ...Object(target), ...row } : target);
      if (row) cache.setQueryData(queryKey, (cached) => newer<unknown>(row, cached));
      else cache.removeQueries({ queryKey, exact: true });
      void readAgain(cache, ({ queryKey: key }) => isChangedBy(descriptor, key));
      return row as Data;
    } catch (error) {
      if (error instanceof ApiError && error.code === 'PRECONDITION_FAILED')
        void cache.invalidateQueries({ queryKey: rowKey(descriptor, target), exact: true });
      throw error;
    }
  };
  return { mutationKey: [descriptor.path, action], mutationFn };
}

/** The written resource, with a version if the caller or the cache has read one. */
function readIn(cache: AnyQueryClient, descriptor: ResourceDescriptor, target: unknown): unknown {
  const cached = cache.getQueryData(rowKey(descriptor, target));
  return typeof target === 'object' ? { ...Object(cached), ...target } : (cached ?? target);
}
