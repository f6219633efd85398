import type { Action, ResourceDescriptor } from '../descriptor/resource.ts';
import type { Call, Caller, DeleteCall, ListCall, WriteCall } from './call.ts';
import type { OverrideContext } from './runtime.ts';

/** One resource as an action answers it. */
export interface Entity {
  readonly id: string;
  readonly version: number;
  /** The resource as JSON text, declared properties only, in the contract's order. */
  readonly json: string;
  readonly value: Readonly<Record<string, unknown>>;
}

export interface Page {
  readonly items: readonly Entity[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
  /** Present when the query asked `count`. */
  readonly totalCount?: number;
}

/**
 * The actions of one resource, the same for every protocol. Each authorizes, validates, runs in a transaction
 * and throws `ApiError`. An action that the contract does not declare throws `METHOD_NOT_ALLOWED`.
 */
export interface ResourceActions {
  readonly descriptor: ResourceDescriptor;
  /** Throws `UNAUTHENTICATED` or `FORBIDDEN`; needs no input, so that a protocol can ask before it reads one. */
  authorize(action: Action, caller: Caller): void;
  list(call: ListCall): Promise<Page>;
  get(call: Call): Promise<Entity>;
  create(call: WriteCall): Promise<Entity>;
  replace(call: WriteCall): Promise<Entity>;
  update(call: WriteCall): Promise<Entity>;
  delete(call: DeleteCall): Promise<void>;
}

export interface Engine {
  /** Actions by resource key (`orders.items`). */
  readonly resources: ReadonlyMap<string, ResourceActions>;
  /** Runs a custom operation: in a transaction, or with tables that refuse to write when it `reads` only. */
  perform<T>(call: OperationCall, work: (context: OverrideContext) => Promise<T>): Promise<T>;
}

export interface OperationCall extends Call {
  readonly reads: boolean;
}
