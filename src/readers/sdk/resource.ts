import { ApiError } from './api-error.ts';
import type { Client } from './client.ts';
import { type AnyPage, type List, list } from './list.ts';
import { type ApiCall, type CallOptions, type ConditionalCall, type ConditionalOptions, call } from './operation.ts';
import type { QueryStyles } from './query.ts';

/** A resource of the contract, as data. */
export interface ResourceDescriptor {
  /** Path of the collection: `/orders/{orderId}/items`. */
  readonly path: string;
  readonly idParameter: string;
  /** The property that it holds, where it is not the id. */
  readonly key?: string;
  /** Property that holds the value, by each parameter of the collection's path. */
  readonly parents?: Readonly<Record<string, string>>;
  readonly styles?: QueryStyles;
  /** Media type of a patch. */
  readonly patchType?: string;
}

/** The types of a resource. */
export interface ResourceTypes {
  readonly resource: object;
  readonly page: AnyPage<unknown>;
  readonly input: unknown;
  readonly patch: unknown;
  readonly query: object;
  /** The ids of the collection's parents: the first argument of a sub-resource. */
  readonly parent: readonly [] | readonly [parent: object];
  /** The resource itself, or its key. */
  readonly target: unknown;
  /** The names of related rows that a read of one may include. */
  readonly include?: string;
}

/** What a read of one offers: its options, and the related rows by their names. */
type Including<T extends ResourceTypes, Options> = T extends { readonly include: infer Name }
  ? Options & { readonly include?: readonly Name[] }
  : Options;

export interface WriteOptions extends CallOptions {
  /**
   * The version that the change is for; the resource having another, it fails with the code `PRECONDITION_FAILED`. Default:
   * the `version` of the resource that is given, if one is. `false`: any.
   */
  readonly ifVersion?: number | string | false;
  /** Of a replacement that may create: it fails with the code `PRECONDITION_FAILED` where the resource is there. */
  readonly ifAbsent?: boolean;
}

export interface CreateOptions extends CallOptions {
  /** Key with which the server creates only once. Default: a new one, with which a lost request is sent again. */
  readonly idempotencyKey?: string;
}

/** The actions of a resource in a contract. */
export interface Actions<T extends ResourceTypes> {
  /** Its entries, one by one or by page. Nothing is asked until they are read. */
  list(client: Client, ...args: readonly [...T['parent'], query?: T['query'], options?: CallOptions]): List<T['page']>;
  get(client: Client, target: T['target'], options: Including<T, ConditionalOptions>): ConditionalCall<T['resource']>;
  get(client: Client, target: T['target'], options?: Including<T, CallOptions>): ApiCall<T['resource']>;
  create(
    client: Client,
    ...args: readonly [...T['parent'], input: T['input'], options?: CreateOptions]
  ): ApiCall<T['resource']>;
  /** The whole resource: optional properties that are not sent are cleared. */
  replace(client: Client, target: T['target'], input: T['input'], options?: WriteOptions): ApiCall<T['resource']>;
  /** Changes the properties that are sent; null clears one (RFC 7396). */
  update(client: Client, target: T['target'], patch: T['patch'], options?: WriteOptions): ApiCall<T['resource']>;
  /**
   * Reads the resource and changes it by the patch that `patchOf` makes of it, and does both again when another change got in
   * between. `undefined` leaves it as it is.
   */
  change(
    client: Client,
    target: T['target'],
    patchOf: (current: T['resource']) => Awaitable<T['patch'] | undefined>,
    options?: CallOptions,
  ): Promise<T['resource']>;
  delete(client: Client, target: T['target'], options?: WriteOptions): ApiCall<void>;
}

interface IncludeOptions extends CallOptions {
  readonly include?: readonly string[];
}

type Awaitable<T> = T | Promise<T>;
type Row = Readonly<Record<string, unknown>>;

/** How often a change is tried that others get in the way of. */
const MAX_CHANGES = 5;

/** Where a resource has its descriptor. */
export const DESCRIPTOR: unique symbol = /* @__PURE__ */ Symbol.for('lockstep.resource');

/** The parameters of the collection's path, of what has them as properties. */
export const parentIn = ({ parents = {} }: ResourceDescriptor, row: Row): Row =>
  Object.fromEntries(Object.entries(parents).map(([parameter, property]) => [parameter, row[property]]));

/** The parameters of a resource's own path, of the resource or of its id. */
export function targetIn(descriptor: ResourceDescriptor, target: unknown): Row {
  const row = rowOf(descriptor, target);
  return { ...parentIn(descriptor, row), [descriptor.idParameter]: row[descriptor.key ?? 'id'] };
}

const rowOf = ({ key = 'id' }: ResourceDescriptor, target: unknown): Row =>
  typeof target === 'object' ? (target as Row) : { [key]: target };

/** The actions of a resource; its type picks those that the contract has. */
export function resource<T extends ResourceTypes>(descriptor: ResourceDescriptor): Actions<T> {
  const { path, idParameter, parents, styles = {} } = descriptor;
  const { patchType = 'application/merge-patch+json' } = descriptor;
  const one = `${path}/{${idParameter}}`;
  const within = (args: readonly unknown[]): readonly unknown[] =>
    parents ? [parentIn(descriptor, args[0] as Row), ...args.slice(1)] : [{}, ...args];

  const get = (client: Client, target: unknown, { include, ...options }: IncludeOptions = {}) => {
    const query = include && { query: { include } };
    return call(client, { method: 'GET', path: one }, { path: targetIn(descriptor, target), ...query }, options);
  };

  const write = (method: string, client: Client, target: unknown, body: unknown, options: WriteOptions = {}) => {
    const { ifAbsent = false, ifVersion = ifAbsent ? false : (rowOf(descriptor, target)['version'] ?? false) } =
      options;
    const header = {
      ...(ifVersion !== false && { 'If-Match': `"${String(ifVersion)}"` }),
      ...(ifAbsent && { 'If-None-Match': '*' }),
      ...(method === 'PATCH' && { 'Content-Type': patchType }),
    };
    return call(client, { method, path: one }, { path: targetIn(descriptor, target), header, body }, options);
  };

  const change = async (
    client: Client,
    target: unknown,
    patchOf: (current: never) => unknown,
    options?: CallOptions,
  ): Promise<unknown> => {
    for (let attempt = 1; ; attempt += 1) {
      const current = await get(client, target, options);
      const patch = await patchOf(current as never);
      if (patch === undefined) return current;
      try {
        return await write('PATCH', client, { ...rowOf(descriptor, target), ...(current as Row) }, patch, options);
      } catch (error) {
        const isOvertaken = error instanceof ApiError && error.code === 'PRECONDITION_FAILED';
        if (!isOvertaken || attempt === MAX_CHANGES) throw error;
      }
    }
  };

  const actions = {
    [DESCRIPTOR]: descriptor,
    list(client: Client, ...args: readonly unknown[]) {
      const [at, query, options] = within(args) as [Row, object | undefined, CallOptions | undefined];
      return list(client, { method: 'GET', path, styles }, { path: at, ...(query && { query }) }, options);
    },
    get,
    create(client: Client, ...args: readonly unknown[]) {
      const [at, body, options] = within(args) as [Row, unknown, CreateOptions | undefined];
      const header = options?.idempotencyKey === undefined ? {} : { 'Idempotency-Key': options.idempotencyKey };
      return call(client, { method: 'POST', path, keyed: true }, { path: at, header, body }, options);
    },
    replace: (client: Client, target: unknown, input: unknown, options?: WriteOptions) =>
      write('PUT', client, target, input, options),
    update: (client: Client, target: unknown, patch: unknown, options?: WriteOptions) =>
      write('PATCH', client, target, patch, options),
    change,
    delete: (client: Client, target: unknown, options?: WriteOptions) =>
      write('DELETE', client, target, undefined, options),
  };
  return actions as unknown as Actions<T>;
}
