import type { Action, Id } from '../../../descriptor/resource.ts';
import type { ErrorDetails } from '../../errors/api-error.ts';
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
  /** The error codes that the operation of each action declares. */
  readonly codes?: object;
  /** What filters may go to from its rows: the types of one row, or a list of those of many. */
  readonly related?: object;
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
  /** The property that names the tenant of its rows. */
  readonly tenant?: string | number;
}

/** The type of a resource's id: a string, or a number where the contract says `integer`. */
type IdOf<T extends ResourceTypes> = T['resource'] extends { readonly id: infer I extends Id } ? I : Id;

/** The codes that actions of a resource may answer; all where its types do not say. */
type CodesOf<T extends ResourceTypes, A extends Action> = T extends { readonly codes: infer Codes }
  ? Codes[A & keyof Codes] & string
  : string;

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
  /** The rows that match `where` and the filter, ordered by id unless they are sorted. Throws for more than 10,000. */
  list(where?: Where<T['resource']>, options?: ListOptions<T>): Promise<readonly T['resource'][]>;
  /** The same rows one by one, read in pages: few of them are in memory. */
  each(where?: Where<T['resource']>, options?: ListOptions<T>): AsyncIterable<T['resource']>;
  /** The number of rows that match. */
  count(where?: Where<T['resource']>, options?: Pick<ListOptions<T>, 'filter'>): Promise<number>;
  /** Throws `ALREADY_EXISTS`, `REFERENCE_NOT_FOUND`, `ILLEGAL_TRANSITION`; `RowError` for what the schema does not allow. */
  create(values: T['input'] & Partial<T['server']> & Partial<T['resource']>): Promise<T['resource']>;
  /**
   * Sets the given properties and increments the version. Throws `NOT_FOUND` and what `create` throws.
   */
  update(id: IdOf<T>, values: Partial<T['resource']>): Promise<T['resource']>;
  delete(id: IdOf<T>): Promise<void>;
}

/**
 * What code may ask of a list beside `where`.
 * @example
 * import type { ListOptions } from 'lockstep';
 * import type { Resources } from '../../generated/handlers.ts';
 *
 * const dearest: ListOptions<Resources['products']> = { filter: { price: { gte: 100 } }, sort: ['-price'], limit: 10 };
 */
export interface ListOptions<T extends ResourceTypes> {
  readonly filter?: Filter<T>;
  /** Properties to order by, the first one first; `-` is descending. */
  readonly sort?: readonly SortOf<T['resource']>[];
  /** All rows if left out; of a list, 10,000 at most. */
  readonly limit?: number;
}

type Scalar = string | number | boolean;
type ScalarsOf<Resource> = {
  [K in keyof Resource]-?: NonNullable<Resource[K]> extends Scalar ? K & string : never;
}[keyof Resource];
type SortOf<Resource> = ScalarsOf<Resource> | `-${ScalarsOf<Resource>}`;

/**
 * Conditions on rows, all of which hold, in the language of a contract's `filter`: on any property, whether the contract
 * offers it to callers or not, and on the rows that the contract's filters may go to.
 */
type Filter<T extends ResourceTypes> = {
  readonly [K in keyof T['resource']]?: Compared<NonNullable<T['resource'][K]>> | null;
} & {
  readonly and?: readonly Filter<T>[];
  readonly or?: readonly Filter<T>[];
  readonly not?: Filter<T>;
} & Related<T>;

/** A value, several of which it must be one, or operators. What is JSON is there or not. */
type Compared<V> = [V] extends [Scalar]
  ? V | readonly V[] | ({ readonly eq?: V; readonly in?: readonly V[]; readonly isNull?: boolean } & Ordered<V>)
  : { readonly isNull?: boolean };

/** Enums and booleans have no order. */
type Ordered<V> = string extends V ? Range<V> & { readonly contains?: string } : number extends V ? Range<V> : unknown;
interface Range<V> {
  readonly gt?: V;
  readonly gte?: V;
  readonly lt?: V;
  readonly lte?: V;
}

type Related<T extends ResourceTypes> = T extends { readonly related: infer To }
  ? {
      readonly [K in keyof To]?: To[K] extends readonly (infer Many extends ResourceTypes)[]
        ? { readonly some?: Filter<Many>; readonly none?: Filter<Many> }
        : To[K] extends ResourceTypes
          ? Filter<To[K]>
          : never;
    }
  : unknown;

/** The value that a property must have, or several of which it must have one. */
type Where<Resource> = { readonly [K in keyof Resource]?: Resource[K] | readonly NonNullable<Resource[K]>[] };

/**
 * All resources inside the running transaction, by key. In a contract with tenants they are the rows of one: that of the
 * row that the code is about, or of its parent, or else of the caller.
 * @example
 * import type { Tables } from 'lockstep';
 * import type { Resources } from '../../generated/handlers.ts';
 *
 * const itemsOf = (store: Tables<Resources>, orderId: string) => store['orders.items'].list({ orderId });
 */
export type Tables<R> = { readonly [K in keyof R]: R[K] extends ResourceTypes ? Table<R[K]> : never } & ([
  TenantOf<R>,
] extends [never]
  ? unknown
  : BeyondTenant<R>);

/** What names a tenant; never in a contract without tenants. */
type TenantOf<R> = { [K in keyof R]: R[K] extends { readonly tenant: infer T } ? T : never }[keyof R];

/** The ways beyond the one tenant whose rows `store` reaches. */
interface BeyondTenant<R> {
  /** The rows of all tenants. A row that is created belongs to the tenant that it names, or else to the caller's. */
  readonly acrossTenants: Tables<R>;
  /** The rows of one tenant, such as for code whose caller has none. Throws for what cannot be a tenant. */
  forTenant(tenant: TenantOf<R>): Tables<R>;
}

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
  extends Refusing<CodesOf<T, A>> {
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
