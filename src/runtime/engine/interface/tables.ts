import type { MEASURES, Period } from '../../../descriptor/totals.ts';
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
  /**
   * Groups of the rows that match, each with its measures: `count`, and `Sum`, `Avg`, `Min`, `Max` and `Distinct` behind the
   * name of a property. Times are grouped by the periods behind their names (`createdAtMonth`). Without `groupBy`, all rows
   * are one group. Sums and averages are exact digits, averages with six behind the point at most. Throws for more than
   * 10,000 groups.
   * @example
   * import type { Tables } from 'lockstep';
   * import type { Resources } from '../../generated/handlers.ts';
   *
   * const salesOf = (store: Tables<Resources>, userId: string) =>
   *   store.orders.totals({ userId }, { groupBy: ['createdAtMonth'], measures: ['count', 'totalSum'], sort: ['-totalSum'] });
   */
  totals<G extends GroupOf<T> = never, M extends MeasureOf<T> = 'count'>(
    where?: Where<T['resource']>,
    options?: TotalsOptions<T, G, M>,
  ): Promise<readonly Totals<T, G, M>[]>;
  /** Throws `ALREADY_EXISTS`, `REFERENCE_NOT_FOUND`, `ILLEGAL_TRANSITION`; `RowError` for what the schema does not allow. */
  create(values: T['input'] & Partial<T['server']> & Partial<T['resource']>): Promise<T['resource']>;
  /**
   * Sets the given properties and increments the version. Throws `NOT_FOUND` and what `create` throws.
   */
  update(id: IdOf<T>, values: Partial<T['resource']>): Promise<T['resource']>;
  delete(id: IdOf<T>): Promise<void>;
}

/**
 * Options of a list in addition to `where`: filter, order and limit.
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

/**
 * Options of totals: the groups, and the measures of each.
 * @example
 * import type { TotalsOptions } from 'lockstep';
 * import type { Resources } from '../../generated/handlers.ts';
 *
 * const byStatus: TotalsOptions<Resources['orders'], 'status', 'count'> = { groupBy: ['status'], sort: ['-count'], limit: 3 };
 */
export interface TotalsOptions<T extends ResourceTypes, G extends string, M extends string> {
  readonly filter?: Filter<T>;
  /** Properties, and periods of times: `createdAtMonth`. Hours are instants, other periods their first days. */
  readonly groupBy?: readonly G[];
  /** `count` if left out. */
  readonly measures?: readonly M[];
  /** Groups and measures to order by, the first one first; `-` is descending. Groups come in their own order behind. */
  readonly sort?: readonly (G | `-${G}` | MeasureOf<T> | `-${MeasureOf<T>}`)[];
  /** All groups if left out; 10,000 at most. */
  readonly limit?: number;
  /** IANA name of the time zone in which periods begin; UTC if left out. */
  readonly timeZone?: string;
}

type Suffixed<T extends ResourceTypes, Name extends string, Suffix extends string> = T extends {
  readonly nameCase: 'snake_case';
}
  ? `${Name}_${Lowercase<Suffix>}`
  : `${Name}${Suffix}`;
type PropertyOf<T extends ResourceTypes> = ScalarsOf<T['resource']>;
type TextsOf<T extends ResourceTypes> = {
  [K in PropertyOf<T>]: string extends NonNullable<T['resource'][K]> ? K : never;
}[PropertyOf<T>];
type GroupOf<T extends ResourceTypes> = PropertyOf<T> | Suffixed<T, TextsOf<T>, Period>;
type MeasureOf<T extends ResourceTypes> = 'count' | Suffixed<T, PropertyOf<T>, (typeof MEASURES)[number]>;

/**
 * The totals of one group: the values that it is made by, and its measures.
 * @example
 * import type { Totals } from 'lockstep';
 * import type { Resources } from '../../generated/handlers.ts';
 *
 * const shareOf = (group: Totals<Resources['orders'], 'status', 'count'>, all: number) => group.count / all;
 */
export type Totals<T extends ResourceTypes, G extends string, M extends string> = {
  readonly [K in G]: (K extends keyof T['resource'] ? NonNullable<T['resource'][K]> : string) | null;
} & { readonly [K in M]: MeasuredAs<T, K> };

type MeasuredAs<T extends ResourceTypes, M extends string> = M extends 'count' | Suffixed<T, PropertyOf<T>, 'Distinct'>
  ? number
  : M extends Suffixed<T, PropertyOf<T>, 'Sum' | 'Avg'>
    ? string | null
    : {
        [K in PropertyOf<T>]: M extends Suffixed<T, K, 'Min' | 'Max'> ? NonNullable<T['resource'][K]> | null : never;
      }[PropertyOf<T>];

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
