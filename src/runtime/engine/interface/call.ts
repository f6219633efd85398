import type { Principal } from '../../auth/principal.ts';

/** Structured log of one request. */
export interface Log {
  info(fields: object, message?: string): void;
  warn(fields: object, message?: string): void;
  error(fields: object, message?: string): void;
}

/** Who asks, and under which request. */
export interface Caller {
  /** Undefined: anonymous. */
  readonly principal: Principal | undefined;
  readonly requestId: string;
  readonly log: Log;
}

/** Path parameters by name, as the contract spells them: `{ orderId, itemId }`. */
export type PathParams = Readonly<Record<string, string>>;

/** Versions a write expects (RFC 9110, 13.1.1 and 13.1.2); `any` is `*`. */
export interface Expectation {
  readonly ifMatch?: readonly number[] | 'any';
  readonly ifNoneMatch?: readonly number[] | 'any';
}

export interface Call {
  readonly caller: Caller;
  readonly params: PathParams;
}

export interface ListCall extends Call {
  /** Decoded query parameters by name: `{ limit, cursor, sort: ['-price'], count, status: ['A'], price: { gte: 5 } }`. */
  readonly query: Readonly<Record<string, unknown>>;
  /** The query as JSON, where it is made once for many calls. */
  readonly queryText?: string | undefined;
}

/** Many resources by their ids; of a sub-resource, whatever their parents. */
export interface EachCall {
  readonly caller: Caller;
  readonly ids: readonly string[];
}

/** A list for each of many ids that `property` refers to; of a sub-resource, `property` is that of its parent. */
export interface ListEachCall extends EachCall {
  readonly property: string;
  readonly query: ListCall['query'];
}

/** `create`, `replace` (an input) and `update` (an RFC 7396 merge patch). */
export interface WriteCall extends Call {
  readonly input: unknown;
  readonly expect?: Expectation;
  /** Of a create: the same key never creates twice. */
  readonly idempotencyKey?: string;
}

export interface DeleteCall extends Call {
  readonly expect?: Expectation;
}

/** What happens to a row. */
export type ChangeKind = 'created' | 'updated' | 'deleted';

/** Which changes of a resource a caller wants to know. */
export interface SubscribeCall {
  readonly caller: Caller;
  readonly resource: string;
  readonly kind: ChangeKind;
  /** Properties that the row must have these values of. */
  readonly where: Readonly<Record<string, string>>;
}
