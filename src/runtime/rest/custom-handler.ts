import type { OperationContext } from '../engine/interface/field-handler.ts';
import type { AnyResources } from '../engine/interface/untyped.ts';

/** A request as hand-written code gets it, before types: `OperationRequest` has them. */
export interface CustomRequest {
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** Declared header parameters by lower-case name. */
  readonly headers: Readonly<Record<string, unknown>>;
  readonly cookies: Readonly<Record<string, unknown>>;
  /** JSON value, text (`text/*`) or bytes, by the media type. */
  readonly body?: unknown;
  readonly contentType?: string;
  /** The media type that the caller prefers among those of the successful responses. */
  readonly accept?: string;
}

/** What hand-written code answers with, before types: `OperationReply` has them. */
export interface CustomReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | number | readonly string[] | undefined>>;
  /** Media type of the body; needed only where the response declares several. */
  readonly contentType?: string;
  readonly body?: unknown;
}

/** A handler of a custom operation, before types: `OperationHandler` has them. */
export type CustomHandler = (
  request: CustomRequest,
  context: OperationContext<AnyResources>,
) => CustomReply | Promise<CustomReply>;

/** A replacement of a route, before types: `RouteHandler` has them. */
export type AnyRouteHandler = (
  request: never,
  context: never,
  next: (request: never) => Promise<unknown>,
) => CustomReply | Promise<CustomReply>;
