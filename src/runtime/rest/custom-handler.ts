/** The untyped request of a route's code; `OperationRequest` is the typed one. */
export interface CustomRequest {
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** Declared header parameters by lower-case name. */
  readonly headers: Readonly<Record<string, unknown>>;
  readonly cookies: Readonly<Record<string, unknown>>;
  /** A JSON value, the fields of a form, text (`text/*`), a stream (`multipart/*`) or bytes, depending on the media type. */
  readonly body?: unknown;
  /** As declared; that of a multipart body as it was sent, with its boundary. */
  readonly contentType?: string;
  /** The media type of the successful responses that the caller prefers. */
  readonly accept?: string;
}

/** The untyped reply of a route's code; `OperationReply` is the typed one. */
export interface CustomReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | number | readonly string[] | undefined>>;
  /** Media type of the body; only needed if the response declares several. */
  readonly contentType?: string;
  readonly body?: unknown;
}

/** The untyped code of a route; `RouteHandler` is the typed one. */
export type AnyRouteHandler = (
  request: never,
  context: never,
  next: (request: never) => Promise<unknown>,
) => CustomReply | Promise<CustomReply>;
