import type { IdOf, ResourceTypes } from './resource-types.ts';

/**
 * Rows of one resource inside the transaction. Those of `store` are without authorization: the code has decided who may. Those
 * of `asCaller` are the rows and properties that the caller reads; what it may not write is `FORBIDDEN`.
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
export type Tables<R> = CallerTables<R> & ([TenantOf<R>] extends [never] ? unknown : BeyondTenant<R>);

/**
 * All resources inside the running transaction, by key, as the caller may read and write them: by the rules of rows and
 * properties (`x-owner`, `x-tenant`, `x-access`), whatever the `security` of the resource's own operations asks for.
 * @example
 * import type { CallerTables } from 'lockstep';
 * import type { Resources } from '../../generated/handlers.ts';
 *
 * const ordersOf = (asCaller: CallerTables<Resources>, userId: string) => asCaller.orders.list({ userId });
 */
export type CallerTables<R> = { readonly [K in keyof R]: R[K] extends ResourceTypes ? Table<R[K]> : never };

/** What names a tenant; never in a contract without tenants. */
type TenantOf<R> = { [K in keyof R]: R[K] extends { readonly tenant: infer T } ? T : never }[keyof R];

/** The ways beyond the one tenant whose rows `store` reaches. */
interface BeyondTenant<R> {
  /** The rows of all tenants. A row that is created belongs to the tenant that it names, or else to the caller's. */
  readonly acrossTenants: Tables<R>;
  /** The rows of one tenant, such as for code whose caller has none. Throws for what cannot be a tenant. */
  forTenant(tenant: TenantOf<R>): Tables<R>;
}
