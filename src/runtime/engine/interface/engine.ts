import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { MaybePromise } from '../../async/maybe-promise.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { Row } from '../../storage/store.ts';
import type {
  Call,
  DeleteCall,
  EachCall,
  ListCall,
  ListEachCall,
  PathParams,
  SubscribeCall,
  WriteCall,
} from './call.ts';
import type { OverrideContext } from './untyped.ts';

/** One resource as an action answers it. */
export interface Entity<T = Readonly<Record<string, unknown>>> {
  readonly id: string;
  readonly version: number;
  /** The resource as JSON text, declared properties only, in the contract's order. */
  readonly json: string;
  readonly value: T;
  /** What all this is made of. */
  readonly row: Row;
  /** The same, each property decoded when it is read; null where one is absent. Not to be copied from. */
  readonly view: T;
}

export interface Page<T = Readonly<Record<string, unknown>>> {
  readonly items: readonly Entity<T>[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
  /** Present when the query asked `count`. */
  readonly totalCount?: number;
  /** Where the page begins that follows the item at this position. */
  cursorOf(position: number): string;
}

/**
 * The actions of one resource, the same for every protocol. Each takes a caller whom `admit` has let in for
 * it, validates, runs in a transaction, and throws, or rejects with, `ApiError`.
 */
export interface ResourceActions<T = Readonly<Record<string, unknown>>> {
  readonly descriptor: ResourceDescriptor;
  /** An id in the spelling that the resource's rows have: a UUID in lower case. */
  idOf(text: string): string;
  /** Throws `VALIDATION_FAILED` for what no path of the resource can hold. For protocols that do not read paths. */
  checkParams(params: PathParams): void;
  /** Throws `VALIDATION_FAILED` for what the list's parameters do not allow. For protocols that do not read queries. */
  checkQuery(query: ListCall['query']): void;
  list(call: ListCall): MaybePromise<Page<T>>;
  get(call: Call): MaybePromise<Entity<T>>;
  /** `get` for many ids at once: for each its resource or the error. */
  getEach(call: EachCall): MaybePromise<readonly (Entity<T> | ApiError)[]>;
  /** `list` for many at once: of the rows whose property is one of the ids, which the caller is known to see. */
  listEach(call: ListEachCall): MaybePromise<readonly (Page<T> | ApiError)[]>;
  create(call: WriteCall): MaybePromise<Entity<T>>;
  replace(call: WriteCall): MaybePromise<Entity<T>>;
  update(call: WriteCall): MaybePromise<Entity<T>>;
  delete(call: DeleteCall): MaybePromise<void>;
}

export interface Engine {
  /** Actions by resource key (`orders.items`). */
  readonly resources: ReadonlyMap<string, ResourceActions>;
  /** Runs a custom operation: in a transaction, or with tables that refuse to write when it `reads` only. */
  perform<T>(call: OperationCall, work: (context: OverrideContext) => Promise<T>): Promise<T>;
  /** Changes of a resource as they are committed, or the error that tells of a gap. Throws as reading the resource does. */
  subscribe(call: SubscribeCall): AsyncGenerator<Entity | ApiError, void, void>;
}

export interface OperationCall extends Call {
  readonly reads: boolean;
}
