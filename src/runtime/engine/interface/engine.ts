import type { Access } from '../../../descriptor/access.ts';
import type { Action, Id, ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { MaybePromise } from '../../async/maybe-promise.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { RowScope } from '../../storage/row-scope.ts';
import type { Row } from '../../storage/store.ts';
import type {
  BatchCall,
  Call,
  Caller,
  DeleteCall,
  EachCall,
  ListCall,
  ListEachCall,
  ListThroughCall,
  OpenTransaction,
  PathParams,
  ReadCall,
  SubscribeCall,
  WriteCall,
} from './call.ts';
import type { JobCall, JobScope } from './job-scope.ts';
import type { OverrideContext } from './untyped.ts';

/** One resource, as actions return it. */
export interface Entity<T = Readonly<Record<string, unknown>>> {
  readonly id: Id;
  readonly version: number;
  /** Names what of the row its caller may not read; undefined where that is nothing. */
  readonly viewTag: string | undefined;
  /** Names all that makes up the text beside version and view: the schema, or where code may make it, the text itself. */
  readonly form: string;
  /** The resource as JSON text, declared properties only, in the contract's order. */
  readonly json: string;
  readonly value: T;
  /** The row that all of this is derived from. */
  readonly row: Row;
  /**
   * The resource as an object that decodes each property when it is read; an absent property is null. Its properties
   * are getters of its class, so spreading it copies nothing.
   */
  readonly view: T;
}

export interface Page<T = Readonly<Record<string, unknown>>> {
  readonly items: readonly Entity<T>[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
  /** Whether a page comes before; it may turn out to be empty, when its rows are gone. */
  readonly isPreceded: boolean;
  /** Null on the first page. Made when it is read: few contracts show it. */
  readonly previousCursor: string | null;
  /** Present when the query asked for `count`. */
  readonly totalCount?: number;
  /** False: there are more. Present where the contract bounds the count, and when the query asked for it. */
  readonly totalCountIsExact?: boolean;
  /** What protocols have made of the page, which the list cache may return again. */
  readonly rendered: RenderedPages;
  /** The cursor of the page that begins after the item at this position. */
  cursorOf(position: number): string;
}

/** Groups of rows, each with the values that were asked for, by their names. */
export interface Totals {
  readonly groups: readonly Readonly<Record<string, unknown>>[];
  /** Whether there are more groups than were asked for. */
  readonly hasMore: boolean;
  /** The text that REST has made of them, which the list cache may return again. */
  rendered?: string;
}

/** What each protocol has made of a page. */
export interface RenderedPages {
  rest?: unknown;
  mcp?: unknown;
}

/** A page of a list, or totals of its rows. */
export type Listed = Page | Totals;

/** What `create` answers, or has answered before under the same `Idempotency-Key`. */
export interface Created<T = Readonly<Record<string, unknown>>> extends Omit<Entity<T>, 'row'> {
  /** Path of the new resource (RFC 9110, 10.2.2). */
  readonly location: string;
  /** It is the answer that was kept under the key. */
  readonly isReplayed: boolean;
  /** Properties that the contract has, but whose values, in an answer kept under another contract, do not fit it. */
  readonly misfits: ReadonlySet<string>;
}

/** What `replace` answers. */
export interface Replacement<T = Readonly<Record<string, unknown>>> {
  readonly entity: Entity<T>;
  /** No row had the id. */
  readonly isCreated: boolean;
}

/**
 * The actions of one resource, the same for every protocol. Each requires a caller that `admit` has admitted for it,
 * validates its input, runs in a transaction, and throws or rejects with `ApiError`.
 */
export interface ResourceActions<T = Readonly<Record<string, unknown>>> {
  readonly descriptor: ResourceDescriptor;
  /** Path of the resource with an id, in the collection that the parameters name. */
  locationOf(params: PathParams, entity: Pick<Entity, 'id' | 'row'>): string;
  /**
   * Throws `VALIDATION_FAILED` for invalid path parameters, with the faults of the input that comes with them. For
   * protocols whose router does not validate them.
   */
  checkParams(params: PathParams, action?: 'create' | 'replace' | 'update', input?: unknown): void;
  /**
   * Throws `VALIDATION_FAILED` for invalid query parameters of the list. For protocols whose router does not validate
   * them.
   */
  checkQuery(query: ListCall['query']): void;
  /** Throws `VALIDATION_FAILED` for names that an operation does not offer to include. For the same protocols. */
  checkInclude(operation: string, include: unknown): void;
  list(call: ListCall): MaybePromise<Page<T>>;
  get(call: ReadCall): MaybePromise<Entity<T>>;
  /**
   * What `get` is asked for to read the version alone, where that costs less than the row, to which nothing is added that would
   * decide about its tag.
   */
  readonly versionAlone: ReadonlySet<string> | undefined;
  /** `get` for many ids at once: for each its resource or the error. */
  getEach(call: EachCall): MaybePromise<readonly (Entity<T> | ApiError)[]>;
  /** `list` for many at once: of the rows whose property is one of the ids, which the caller is known to see. */
  listEach(call: ListEachCall): MaybePromise<readonly (Page<T> | ApiError)[]>;
  /** Its further lists, by the operation. */
  readonly furtherLists: ReadonlyMap<string, FurtherList<T>>;
  /** Its totals, by the operation. */
  readonly totals: ReadonlyMap<string, TotalsOperation>;
  /** Its batches, by the operation. */
  readonly batches: ReadonlyMap<string, BatchOperation>;
  /** The links that its rows are, by the operation. */
  readonly links: ReadonlyMap<string, LinkOperation>;
  create(call: WriteCall): MaybePromise<Created<T>>;
  replace(call: WriteCall): MaybePromise<Replacement<T>>;
  update(call: WriteCall): MaybePromise<Entity<T>>;
  /** Resolves to the id. */
  delete(call: DeleteCall): MaybePromise<Id>;
}

/** A list of rows of the resource that belong to a row of another, which its path parameters name. */
interface FurtherList<T = Readonly<Record<string, unknown>>> {
  readonly access: Access;
  list(call: ListCall): MaybePromise<Page<T>>;
  /** `list` for many rows at once, which the caller is known to see. */
  listEach(call: ListThroughCall): MaybePromise<readonly (Page<T> | ApiError)[]>;
}

/** Totals of the rows of the list. Their query has the filters of the list, too. */
export interface TotalsOperation {
  readonly access: Access;
  /** Throws `VALIDATION_FAILED` for invalid query parameters. For protocols whose router does not validate them. */
  checkQuery(query: ListCall['query']): void;
  read(call: ListCall): MaybePromise<Totals>;
}

/** The success of an item, with the status of the same action alone. */
export interface BatchResult {
  readonly status: 200 | 201 | 204;
  readonly id: Id;
  /** Absent after a deletion. */
  readonly entity?: Omit<Entity, 'row'> | undefined;
}

/** In the order of the items: a success, or the reason of the failure. */
export type BatchResults = readonly (BatchResult | Error)[];

/**
 * Several writes of one resource. Throws `VALIDATION_FAILED` for a body with any fault before it does anything, and for the
 * mode `ATOMIC` what its first failing item throws, with places below `/items/3`.
 */
export interface BatchOperation {
  readonly access: Access;
  run(call: BatchCall): MaybePromise<BatchResults>;
}

/**
 * Makes a link between two rows, or ends it; the link may be there, or not, already. Throws `NOT_FOUND` for a row that the
 * caller does not see, and what creating and deleting the joining row throws.
 */
export interface LinkOperation {
  readonly access: Access;
  run(call: Call): MaybePromise<void>;
}

export interface Engine {
  /** Actions by resource key (`orders.items`). */
  readonly resources: ReadonlyMap<string, ResourceActions>;
  /** Throws `LIMIT_EXCEEDED`, `UNAUTHENTICATED`, `FORBIDDEN`. */
  include(call: IncludeCall): Include;
  /** Runs a custom operation: in a transaction, or, when it only `reads`, with tables that refuse writes. */
  perform<T>(call: OperationCall, work: (context: OverrideContext) => Promise<T>): Promise<T>;
  /** Opens a transaction of a caller, which writes and operations may join. */
  transaction<T>(caller: Caller, work: (open: OpenTransaction) => Promise<T>): Promise<T>;
  /** The rows that a job reads and writes. */
  jobScope(call: JobCall): JobScope;
  /** Rows with these ids by their tenants, of which code is asked about each alone. */
  tenantGroups(caller: Caller, resource: string | undefined, ids: readonly Id[]): MaybePromise<readonly TenantGroup[]>;
  /**
   * Changes of a resource as they are committed, from the moment on in which the promise resolves; `EVENTS_MISSED` where
   * some may be missing. Rejects with what reading the resource throws.
   */
  subscribe(call: SubscribeCall): Promise<AsyncGenerator<Entity | ApiError, void, void>>;
  /**
   * What of a caller decides which rows of a resource it sees, and what of them: callers with equal texts see the same.
   * Throws `UNAUTHENTICATED` when rows belong to callers and this one is anonymous.
   */
  filterKeyOf(resource: string, caller: Caller): string;
  /** Whether hand-written code, which gets the caller, answers an action. */
  isOverridden(resource: string, action: Action): boolean;
}

/** Which related rows a request reads with those of a resource. */
export interface IncludeCall {
  readonly caller: Caller;
  /** Key of the resource. */
  readonly resource: string;
  /** Validated: `items`, `items.product`. */
  readonly names: readonly string[];
  /** That of the page that they are read with; undefined: with one row. */
  readonly query?: ListCall['query'] | undefined;
}

/** The JSON texts of rows with the related ones. Rejects with what reading these throws. */
export type Include = (rows: readonly ShownRow[]) => Promise<readonly string[]>;

/** A row as its caller sees it. */
export type ShownRow = Pick<Entity<unknown>, 'id' | 'json' | 'view'>;

export interface OperationCall extends Call {
  readonly reads: boolean;
  /** Whose rows the code reaches; those of the caller's own tenant if left out. */
  readonly scope?: RowScope | undefined;
}

/** Some of the rows that code is asked about, by their positions, and the scope of their tenant. */
export interface TenantGroup {
  readonly scope: RowScope | undefined;
  readonly positions: readonly number[];
}
