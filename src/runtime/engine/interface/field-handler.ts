import type { Caller } from './call.ts';
import type { Sending } from './jobs.ts';
import type { Refusing } from './overrides.ts';
import type { CallerTables, Tables } from './tables.ts';

/**
 * The context of hand-written code for custom operations and fields.
 * @example
 * import type { OperationContext } from 'lockstep';
 * import type { Resources } from '../../generated/handlers.ts';
 *
 * const inStock = async ({ asCaller }: OperationContext<Resources>, id: string): Promise<boolean> =>
 *   ((await asCaller.products.get(id))?.stock ?? 0) > 0;
 */
export interface OperationContext<R, Code extends string = string> extends Refusing<Code>, Sending {
  readonly caller: Caller;
  readonly now: Date;
  /** All resources as the caller may read and write them, in the same transaction as `store`. */
  readonly asCaller: CallerTables<R>;
  /** All resources: in a transaction, or read-only when the operation is safe (RFC 9110, 9.2.1) or a query. */
  readonly store: Tables<R>;
}

/**
 * The context of hand-written code that replaces a route or a resolver. It reads from `store`, and writes in a
 * `transaction`.
 * @example
 * import type { HandlerContext } from 'lockstep';
 * import type { Resources } from '../../generated/handlers.ts';
 *
 * const takeOne = ({ transaction }: HandlerContext<Resources>, id: string): Promise<void> =>
 *   transaction(async ({ store }) => {
 *     const product = await store.products.get(id);
 *     if (product) await store.products.update(id, { stock: product.stock - 1 });
 *   });
 */
export interface HandlerContext<R, Code extends string = string> extends OperationContext<R, Code> {
  /** Runs work in a transaction that is committed, and its events published, unless it throws; perhaps more than once. */
  transaction<T>(work: (context: OperationContext<R, Code>) => Promise<T>): Promise<T>;
}

/**
 * The code of a field of `Query` or `Mutation`: `Args` are the field's arguments, `Answer` is what it resolves to, and `R`
 * the types of the contract's resources, `Code` the codes that it may answer. Throws `ApiError` for a failure of the catalogue.
 * @example
 * import type { RootFieldHandler } from 'lockstep';
 * import type { Resources } from '../../generated/handlers.ts';
 *
 * export const isAvailable: RootFieldHandler<{ readonly id: string }, boolean, Resources> = async ({ id }, { store }) =>
 *   ((await store.products.get(id))?.stock ?? 0) > 0;
 */
export type RootFieldHandler<Args, Answer, R, Code extends string = string> = (
  args: Args,
  context: OperationContext<R, Code>,
) => Answer | Promise<Answer>;

/**
 * The code of a field of any other type, for all parents of a level at once: one answer for each, in their order.
 * Throws `ApiError` for a failure of the catalogue.
 * @example
 * import type { FieldHandler } from 'lockstep';
 * import type { Resources } from '../../generated/handlers.ts';
 *
 * type Product = Resources['products']['resource'];
 *
 * export const isAvailable: FieldHandler<Product, object, boolean, Resources> = (products) =>
 *   products.map(({ stock }) => stock > 0);
 */
export type FieldHandler<Parent, Args, Answer, R, Code extends string = string> = (
  parents: readonly Parent[],
  args: Args,
  context: OperationContext<R, Code>,
) => readonly Answer[] | Promise<readonly Answer[]>;
