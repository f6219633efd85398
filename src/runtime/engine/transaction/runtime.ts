import type { Action, Id } from '../../../descriptor/resource.ts';
import { authorize } from '../../auth/authorize.ts';
import type { Principal } from '../../auth/principal.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { Store } from '../../storage/store.ts';
import type { EventBus } from '../events/event-bus.ts';
import type { FilteredChanges } from '../events/filtered-changes.ts';
import type { FollowedRows, Peers } from '../events/peers.ts';
import type { Order } from '../events/row-order.ts';
import type { Caller } from '../interface/call.ts';
import type { PositionCodec } from '../interface/consistency.ts';
import type { SentJobs } from '../interface/job-scope.ts';
import type { Override } from '../interface/untyped.ts';
import type { CursorCodec } from '../lists/cursor.ts';
import type { ListCache } from '../lists/list-cache.ts';
import type { Tenancy } from '../resource/access.ts';
import type { Resource } from '../resource/resource.ts';
import type { KeysUnderWay } from './keys-under-way.ts';
import type { LockOrder } from './lock-order.ts';
import type { RisingIds } from './rising-ids.ts';
import type { AsCallerIn, TablesIn } from './tables.ts';

export function hasOverride({ overrides }: Runtime, { descriptor }: Resource, action: Action): boolean {
  return overrides[descriptor.key]?.[action] !== undefined;
}

/** What all actions of an engine share. */
export interface Runtime {
  readonly store: Store;
  /** Whose rows a caller's statements may reach; undefined where the contract has no tenants. */
  readonly tenancy: Tenancy | undefined;
  readonly resources: ReadonlyMap<string, Resource>;
  readonly tablesIn: TablesIn;
  readonly asCallerIn: AsCallerIn;
  readonly overrides: Readonly<Record<string, { readonly [A in Action]?: Override } | undefined>>;
  readonly cursors: CursorCodec;
  readonly positions: PositionCodec;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  readonly ids: RisingIds;
  readonly events: EventBus;
  /** Undefined where transactions run one after the other. */
  readonly order: Order | undefined;
  /** The events as the filter of each caller shows them. */
  readonly filtered: FilteredChanges;
  /** Events that may be queued for one subscriber. */
  readonly maxQueuedEvents: number;
  readonly keys: KeysUnderWay;
  /** Undefined when transactions do not lock single rows. */
  readonly lockOrder: LockOrder | undefined;
  /** Undefined when lists are not cached. */
  readonly lists: ListCache | undefined;
  /** Whether code handles changes after the commit. */
  readonly consumes: boolean;
  /** Undefined without any. */
  readonly jobs: SentJobs | undefined;
  /** A tenant that code names at a place of it. Throws for what cannot be one. */
  readonly tenantGiven: (place: string, tenant: unknown) => Id;
  /** Undefined for a single server, or without a way to reach the others. */
  readonly peers: Peers | undefined;
}

/** Throws `METHOD_NOT_ALLOWED` when the contract does not declare the action, and what `authorize` throws. */
export function authorizeAction({ descriptor }: Resource, action: Action, caller: Caller): void {
  const declared = descriptor.actions[action];
  if (!declared) throw new ApiError('METHOD_NOT_ALLOWED', { detail: `${descriptor.name} has no ${action}.` });
  authorize(declared.access, caller.principal);
}

/** Whose rows of a resource a caller's lists and events are of, as peers are asked for them. */
export const followedBy = ({ tenancy }: Runtime, resource: Resource, principal: Principal | undefined): FollowedRows =>
  resource.tenancy && tenancy?.scopeFor(principal);
