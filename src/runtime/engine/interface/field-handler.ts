import type { Caller } from './call.ts';
import type { Tables } from './overrides.ts';

/** What hand-written code receives besides its input. */
export interface OperationContext<R> {
  readonly caller: Caller;
  readonly now: Date;
  /** All resources: in a transaction, or read-only when the operation is safe (RFC 9110, 9.2.1) or a query. */
  readonly store: Tables<R>;
}

/** What hand-written code is given that takes the place of a route or of a resolver: it reads, and writes in a transaction. */
export interface HandlerContext<R> extends OperationContext<R> {
  /** Runs work in a transaction that is committed, and its events published, unless it throws; perhaps more than once. */
  transaction<T>(work: (context: OperationContext<R>) => Promise<T>): Promise<T>;
}

/** The code of a field of `Query` or `Mutation`. Throws `ApiError` for a failure of the catalogue. */
export type RootFieldHandler<Args, Answer, R> = (args: Args, context: OperationContext<R>) => Answer | Promise<Answer>;

/**
 * The code of a field of any other type. It is called once for all parents of a level and returns one answer for each,
 * in their order. Throws `ApiError` for an error of the catalogue.
 */
export type FieldHandler<Parent, Args, Answer, R> = (
  parents: readonly Parent[],
  args: Args,
  context: OperationContext<R>,
) => readonly Answer[] | Promise<readonly Answer[]>;
