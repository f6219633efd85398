import type { Action } from '../../../descriptor/resource.ts';
import type { ErrorDetails } from '../../errors/api-error.ts';
import type { Caller } from './call.ts';
import type { Sending } from './jobs.ts';
import type { IdOf, ResourceTypes } from './resource-types.ts';
import type { CallerTables, Tables } from './tables.ts';

/** The codes that actions of a resource may answer; all where its types do not say. */
type CodesOf<T extends ResourceTypes, A extends Action> = T extends { readonly codes: infer Codes }
  ? Codes[A & keyof Codes] & string
  : string;

/** What the contexts of hand-written code have to end an operation by. */
export interface Refusing<Code extends string> {
  /**
   * Throws the `ApiError` of a code that the operation declares; no other compiles. `throw refuse(…)` shows TypeScript that
   * nothing follows.
   */
  refuse(code: Code, details?: ErrorDetails): never;
}

/**
 * The context of an override of `list`, `get` or `create`.
 * @example
 * import type { ActionContext } from 'lockstep';
 * import type { Resources } from '../../generated/handlers.ts';
 *
 * type ItemContext = ActionContext<Resources['orders.items'], Resources>;
 *
 * const orderOf = ({ store, params }: ItemContext) => store.orders.get(params.orderId);
 */
export interface ActionContext<T extends ResourceTypes, R, A extends Action = T['actions']>
  extends Refusing<CodesOf<T, A>>,
    Sending {
  readonly caller: Caller;
  readonly params: T['params'];
  /** The time of the action; every row that it writes gets the same. */
  readonly now: Date;
  /** All resources as the caller may read and write them, in the same transaction as `store`. */
  readonly asCaller: CallerTables<R>;
  readonly store: Tables<R>;
}

/**
 * The context of an override of `replace`, `update` or `delete`.
 * @example
 * import type { ChangeContext } from 'lockstep';
 * import type { Resources } from '../../generated/handlers.ts';
 *
 * type OrderChange = ChangeContext<Resources['orders'], Resources>;
 *
 * const isPaid = ({ current }: OrderChange): boolean => current.status === 'PAID';
 */
export interface ChangeContext<T extends ResourceTypes, R, A extends Action = T['actions']>
  extends ActionContext<T, R, A> {
  /** The row before the change, visible to the caller and at an expected version. */
  readonly current: T['resource'];
}

/**
 * A page of a list; `nextCursor` is null on the last one, `previousCursor` on the first if the contract has it, `totalCount`
 * there when it was asked for.
 * @example
 * import type { PageOf } from 'lockstep';
 * import type { Resources } from '../../generated/handlers.ts';
 *
 * const EMPTY: PageOf<Resources['orders']['resource']> = { items: [], nextCursor: null };
 */
export interface PageOf<Resource> {
  readonly items: readonly Resource[];
  readonly nextCursor: string | null;
  readonly previousCursor?: string | null;
  readonly totalCount?: number;
  /** False where there are more than `totalCount`; only of lists whose contract bounds the count. */
  readonly totalCountIsExact?: boolean;
}

type Made<T extends ResourceTypes> = T['input'] & Partial<T['server']>;

interface OverrideByAction<T extends ResourceTypes, R> {
  list: (
    query: T['query'],
    context: ActionContext<T, R, 'list'>,
    next: (query: T['query']) => Promise<PageOf<T['resource']>>,
  ) => Promise<PageOf<T['resource']>>;
  get: (id: IdOf<T>, context: ActionContext<T, R, 'get'>, next: () => Promise<T['resource']>) => Promise<T['resource']>;
  create: (
    input: T['input'],
    context: ActionContext<T, R, 'create'>,
    next: (input: Made<T>) => Promise<T['resource']>,
  ) => Promise<T['resource']>;
  replace: (
    input: T['input'],
    context: ChangeContext<T, R, 'replace'>,
    next: (input: Made<T>) => Promise<T['resource']>,
  ) => Promise<T['resource']>;
  update: (
    patch: T['patch'],
    context: ChangeContext<T, R, 'update'>,
    next: (patch: T['patch'] & Partial<T['server']>) => Promise<T['resource']>,
  ) => Promise<T['resource']>;
  delete: (id: IdOf<T>, context: ChangeContext<T, R, 'delete'>, next: () => Promise<void>) => Promise<void>;
}

/**
 * Overrides of one resource, `T` of the resources `R`: any of the actions its contract declares, no other.
 * @example
 * import type { ResourceOverrides } from 'lockstep';
 * import { ApiError } from '../../generated/errors.ts';
 * import type { Resources } from '../../generated/handlers.ts';
 *
 * export const orders: ResourceOverrides<Resources['orders'], Resources> = {
 *   async delete(_id, { current }, next) {
 *     if (current.status !== 'PENDING') throw new ApiError('ORDER_NOT_PENDING');
 *     await next();
 *   },
 * };
 */
export type ResourceOverrides<T extends ResourceTypes, R> = {
  readonly [A in T['actions']]?: OverrideByAction<T, R>[A];
};

/**
 * Overrides of a contract's resources by key; each serves every protocol.
 * @example
 * import type { Overrides } from 'lockstep';
 * import type { Resources } from '../../generated/handlers.ts';
 *
 * export const overrides: Overrides<Resources> = {
 *   products: {
 *     create: (input, _context, next) => next({ ...input, name: input.name.trim() }),
 *   },
 * };
 */
export type Overrides<R> = {
  readonly [K in keyof R]?: R[K] extends ResourceTypes ? ResourceOverrides<R[K], R> : never;
};
