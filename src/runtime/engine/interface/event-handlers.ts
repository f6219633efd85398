import type { Version } from './call.ts';
import type { JobContext } from './jobs.ts';
import type { ResourceTypes } from './resource-types.ts';

/**
 * A change of one row, as its handler gets it.
 * @example
 * import type { RowEvent } from 'lockstep';
 * import type { Resources } from '../../generated/handlers.ts';
 *
 * const wasPaid = ({ row, before }: RowEvent<Resources['orders']>): boolean =>
 *   row.status === 'PAID' && before.status !== undefined;
 */
export interface RowEvent<T extends ResourceTypes> {
  /** The row after the change; a deleted row as it was before. */
  readonly row: T['resource'];
  /** Of an update: the properties that it has changed, as they were; null if they had no value. Empty otherwise. */
  readonly before: { readonly [K in keyof T['resource']]?: T['resource'][K] | null };
  /** The version of `row`. */
  readonly version: Version;
  /** The subject of who has changed it; null for an anonymous caller. */
  readonly actor: string | null;
}

type Handle<T extends ResourceTypes, R> = (event: RowEvent<T>, context: JobContext<R>) => unknown;

interface HandlersOf<T extends ResourceTypes, R> {
  readonly created?: Handle<T, R>;
  /** `of`: only changes of these properties count. */
  readonly updated?: Handle<T, R> | { readonly of: readonly (keyof T['resource'])[]; readonly run: Handle<T, R> };
  readonly deleted?: Handle<T, R>;
}

/**
 * Code that runs after the commit of changes, by the keys of resources.
 * @example
 * import type { EventHandlers } from 'lockstep';
 * import type { Resources } from '../../generated/handlers.ts';
 *
 * export const on: EventHandlers<Resources> = {
 *   products: {
 *     updated: { of: ['stock'], run: ({ row }, { log }) => log.info({ stock: row.stock }, 'counted') },
 *   },
 * };
 */
export type EventHandlers<R> = {
  readonly [K in keyof R]?: R[K] extends ResourceTypes ? HandlersOf<R[K], R> : never;
};

/** Which changes of a resource code handles: of an update, those of some properties, or any. */
export interface Consumed {
  readonly created?: 'any';
  readonly updated?: 'any' | ReadonlySet<string>;
  readonly deleted?: 'any';
}
