import type { Action, Id } from '../../../descriptor/resource.ts';
import type { Caller } from './call.ts';

/**
 * The TypeScript types of one resource; `Resources` of `generated/handlers.ts` has one entry per resource.
 * @example
 * import type { ResourceTypes } from 'lockstep';
 * import type { Resources } from '../../generated/handlers.ts';
 *
 * type RowOf<T extends ResourceTypes> = T['resource'];
 * type Order = RowOf<Resources['orders']>;
 */
export interface ResourceTypes {
  readonly resource: object;
  readonly input: object;
  readonly patch: object;
  /** Properties that only an override may set, never a caller. */
  readonly server: object;
  readonly query: object;
  readonly params: object;
  readonly actions: Action;
  /** `PUT` creates what is not there. */
  readonly creates?: true;
  /** What its path parameter holds in place of the id, by property. */
  readonly key?: object;
  /** The unique properties by which one may be read beside that. */
  readonly lookups?: object;
  /** Its lists through other resources, by the operation. */
  readonly throughs?: object;
  /** The arguments of GraphQL that give the parameters of its collection's path, where their names differ. */
  readonly arguments?: object;
  /** The case of the names of pages, if it is not camelCase. */
  readonly nameCase?: 'snake_case';
  /** Pages have the cursor of the one before. */
  readonly pagesBack?: true;
  /** Pages say whether their count is exact. */
  readonly countIsBounded?: true;
}

/** The type of a resource's id: a string, or a number where the contract says `integer`. */
type IdOf<T extends ResourceTypes> = T['resource'] extends { readonly id: infer I extends Id } ? I : Id;

/** The types of all resources of a contract, by key. */
export type ResourceMap<R> = { readonly [K in keyof R]: ResourceTypes };

/** Keys of the resources that declare an action. */
export type ResourcesWith<R extends ResourceMap<R>, A extends Action> = {
  [K in keyof R]: A extends R[K]['actions'] ? K : never;
}[keyof R];

/**
 * Rows of one resource inside the transaction, without authorization: the override has decided who may.
 * @example
 * import type { Table } from 'lockstep';
 * import type { Resources } from '../../generated/handlers.ts';
 *
 * async function takeOne(products: Table<Resources['products']>, id: string): Promise<void> {
 *   const product = await products.get(id);
 *   if (product) await products.update(id, { stock: product.stock - 1 });
 * }
 */
export interface Table<T extends ResourceTypes> {
  get(id: IdOf<T>): Promise<T['resource'] | undefined>;
  /** All rows that match `where`, ordered by id. */
  list(where: Where<T['resource']>): Promise<readonly T['resource'][]>;
  /** Throws `ALREADY_EXISTS`, `REFERENCE_NOT_FOUND`. */
  create(values: T['input'] & Partial<T['server']> & Partial<T['resource']>): Promise<T['resource']>;
  /**
   * Sets the given properties and increments the version. Throws `NOT_FOUND`, `ALREADY_EXISTS`, `REFERENCE_NOT_FOUND`.
   */
  update(id: IdOf<T>, values: Partial<T['resource']>): Promise<T['resource']>;
  delete(id: IdOf<T>): Promise<void>;
}

/** The value that a property must have, or several of which it must have one. */
export type Where<Resource> = { readonly [K in keyof Resource]?: Resource[K] | readonly NonNullable<Resource[K]>[] };

/**
 * All resources inside the running transaction, by key.
 * @example
 * import type { Tables } from 'lockstep';
 * import type { Resources } from '../../generated/handlers.ts';
 *
 * const itemsOf = (store: Tables<Resources>, orderId: string) => store['orders.items'].list({ orderId });
 */
export type Tables<R> = { readonly [K in keyof R]: R[K] extends ResourceTypes ? Table<R[K]> : never };

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
export interface ActionContext<T extends ResourceTypes, R> {
  readonly caller: Caller;
  readonly params: T['params'];
  /** The time of the action; every row that it writes gets the same. */
  readonly now: Date;
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
export interface ChangeContext<T extends ResourceTypes, R> extends ActionContext<T, R> {
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
    context: ActionContext<T, R>,
    next: (query: T['query']) => Promise<PageOf<T['resource']>>,
  ) => Promise<PageOf<T['resource']>>;
  get: (id: IdOf<T>, context: ActionContext<T, R>, next: () => Promise<T['resource']>) => Promise<T['resource']>;
  create: (
    input: T['input'],
    context: ActionContext<T, R>,
    next: (input: Made<T>) => Promise<T['resource']>,
  ) => Promise<T['resource']>;
  replace: (
    input: T['input'],
    context: ChangeContext<T, R>,
    next: (input: Made<T>) => Promise<T['resource']>,
  ) => Promise<T['resource']>;
  update: (
    patch: T['patch'],
    context: ChangeContext<T, R>,
    next: (patch: T['patch'] & Partial<T['server']>) => Promise<T['resource']>,
  ) => Promise<T['resource']>;
  delete: (id: IdOf<T>, context: ChangeContext<T, R>, next: () => Promise<void>) => Promise<void>;
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
