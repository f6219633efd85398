import type { Id } from '../../../descriptor/resource.ts';
import type { MaybePromise } from '../../async/maybe-promise.ts';
import type { Principal } from '../../auth/principal.ts';
import type { Row } from '../../storage/store.ts';
import type { Consistency } from './consistency.ts';

/**
 * Structured log of one request; its lines have the id of the request.
 * @example
 * import type { Caller, Log } from 'lockstep';
 *
 * const logOf = ({ log }: Caller): Log => log;
 * const warn = (caller: Caller): void => logOf(caller).warn({ left: 2 }, 'stock is low');
 */
export interface Log {
  info(fields: object, message?: string): void;
  warn(fields: object, message?: string): void;
  error(fields: object, message?: string): void;
}

/**
 * The caller, and the request that it sends.
 * @example
 * import type { Caller } from 'lockstep';
 * import { ApiError } from '../../generated/errors.ts';
 *
 * function checkStaff({ principal }: Caller): void {
 *   if (!principal?.scopes.has('orders:admin')) throw new ApiError('FORBIDDEN', { detail: 'Only staff may do this.' });
 * }
 */
export interface Caller {
  /** Undefined for an anonymous caller. */
  readonly principal: Principal | undefined;
  readonly requestId: string;
  readonly log: Log;
  /** What the request must see, and the commits that it has made. */
  readonly consistency?: Consistency | undefined;
  /** Whose turn it is where reads that may take long wait: its subject's, or if anonymous that of its network. */
  readonly turn?: string | undefined;
}

/** Path parameters by name, as the contract spells them: `{ orderId, itemId }`. */
export type PathParams = Readonly<Record<string, Id>>;

/** A number; a text if it is a hash. */
export type Version = number | string;

/** A version as a caller saw it, where properties have rules: `3-` and the tag of what was hidden from it. */
export type SeenVersion = `${Version}-${string}`;

/** The versions that a write expects its target to have (RFC 9110, 13.1.1 and 13.1.2); `any` is `*`. */
export interface Expectation {
  readonly ifMatch?: readonly (Version | SeenVersion)[] | 'any';
  readonly ifNoneMatch?: readonly (Version | SeenVersion)[] | 'any';
  /** `If-Match` has weak tags, which match nothing. */
  readonly hasWeak?: boolean;
}

/** A transaction that the engine has opened for several calls: they are committed together, or not at all. */
export interface OpenTransaction {
  readonly now: Date;
}

export interface Call {
  readonly caller: Caller;
  readonly params: PathParams;
  /** Of a write: the transaction that it is a part of; one of its own if left out. */
  readonly joins?: OpenTransaction | undefined;
}

/** What is read by itself, and not to be changed. */
export interface ReadCall extends Call {
  /** What is read of each row, by the names of properties; the whole row if left out. */
  readonly asked?: ReadonlySet<string> | undefined;
}

export interface ListCall extends ReadCall {
  /**
   * Decoded query parameters by name: `{ limit, cursor, sort: ['-price'], count, status: ['A'], price: { gte: 5 } }`.
   */
  readonly query: Readonly<Record<string, unknown>>;
  /** The query as JSON, where it is made once for many calls. */
  readonly queryText?: string | undefined;
}

/** Many resources by their ids; sub-resources may have different parents. */
export interface EachCall {
  readonly caller: Caller;
  readonly ids: readonly Id[];
  readonly asked?: ReadCall['asked'];
}

/** A list for each of many ids that `property` refers to; for a sub-resource, `property` refers to its parent. */
export interface ListEachCall extends ListThroughCall {
  readonly property: string;
}

/** A list through another resource for each of many rows, whose ids they are. */
export interface ListThroughCall extends EachCall {
  readonly query: ListCall['query'];
}

/** The input of `create` and `replace`, or the merge patch (RFC 7396) of `update`. */
export interface WriteCall extends Call {
  readonly input: unknown;
  readonly expect?: Expectation;
  /** For `create`: the same key never creates twice. */
  readonly idempotencyKey?: string;
  /** For code, which may write more than callers send: judges the row before it is written. */
  readonly judge?: ((row: Row) => MaybePromise<void>) | undefined;
  /** The input without defaults that the protocol has filled in; the input itself if left out. */
  readonly sent?: unknown;
}

export interface DeleteCall extends Call {
  readonly expect?: Expectation;
}

/** What happened to a row. */
export type ChangeKind = 'created' | 'updated' | 'deleted';

/** Which changes of a resource a caller subscribes to. */
export interface SubscribeCall {
  readonly caller: Caller;
  readonly resource: string;
  readonly kind: ChangeKind;
  /** Only rows with these values, by property. */
  readonly where: Readonly<Record<string, Id>>;
}

/** A body with items, as JSON. */
export interface BatchCall extends Pick<Call, 'caller' | 'params'> {
  /** Without the defaults of its schema. */
  readonly input: unknown;
  readonly idempotencyKey?: string | undefined;
}
