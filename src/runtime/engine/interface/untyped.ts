import type { Caller } from './call.ts';
import type { ResourceTypes, Tables } from './overrides.ts';

/** The tables of any contract. */
export type AnyTables = Tables<Readonly<Record<string, ResourceTypes>>>;

/** What an override is given, before types. */
export interface OverrideContext {
  readonly caller: Caller;
  readonly params: Readonly<Record<string, string>>;
  readonly now: Date;
  readonly store: AnyTables;
  readonly current?: Readonly<Record<string, unknown>>;
}

export type Override = (
  payload: never,
  context: OverrideContext,
  next: (payload: never) => Promise<unknown>,
) => unknown;
