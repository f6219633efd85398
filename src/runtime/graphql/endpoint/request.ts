/** The parameters of a GraphQL request (GraphQL over HTTP, Request Parameters). */
export interface GraphqlRequest {
  readonly query?: string | undefined;
  readonly operationName?: string | undefined;
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
  /** The id of a registered document, instead of its text: `sha256:<hex>`. */
  readonly documentId?: string | undefined;
}

/** An error as clients get it (GraphQL, 7.1.2). */
export interface GraphqlWireError {
  readonly message: string;
  readonly locations?: readonly { readonly line: number; readonly column: number }[];
  readonly path?: readonly (string | number)[];
  readonly extensions: Readonly<Record<string, unknown>>;
}

/** A response as clients get it. Without `data`, it is a request error: nothing was executed. */
export interface GraphqlResult {
  readonly errors?: readonly GraphqlWireError[];
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly extensions?: { readonly consistencyToken: string };
}
