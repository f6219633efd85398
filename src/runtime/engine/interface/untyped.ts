import type { Caller, PathParams } from './call.ts';
import type { Sending } from './jobs.ts';
import type { Refusing } from './overrides.ts';
import type { ResourceTypes } from './resource-types.ts';
import type { CallerTables, Tables } from './tables.ts';

/** The resources of any contract. */
export type AnyResources = Readonly<Record<string, ResourceTypes>>;

/** The tables of any contract. */
export type AnyTables = Tables<AnyResources>;

/** The tables of any contract, as a caller may read and write them. */
export type AnyCallerTables = CallerTables<AnyResources>;

/** The context of an override, without the contract's types. */
export interface OverrideContext extends Refusing<string>, Sending {
  readonly caller: Caller;
  readonly params: PathParams;
  readonly now: Date;
  readonly store: AnyTables;
  readonly asCaller: AnyCallerTables;
  readonly current?: Readonly<Record<string, unknown>>;
}

export type Override = (
  payload: never,
  context: OverrideContext,
  next: (payload: never) => Promise<unknown>,
) => unknown;
