import type { DocumentNode, GraphQLSchema } from 'graphql';
import type { GraphqlLimits } from '../../../descriptor/graphql.ts';
import type { GraphqlRequest, GraphqlResult, GraphqlWireError } from './request.ts';
import type { Session } from './session.ts';

export type OperationKind = 'query' | 'mutation' | 'subscription';

/** One operation of a checked document with its variables: within all limits, ready to run. */
export interface Prepared {
  readonly kind: OperationKind;
  readonly operationName: string | undefined;
  /** The operation with the fragments it needs. */
  readonly document: DocumentNode;
}

/** A request that is not executed at all, and the HTTP status that says so. */
export class RequestError extends Error {
  readonly status: number;
  readonly errors: readonly GraphqlWireError[];
  /** The request is what the protocol asks for; its document, operation or variables are not. */
  readonly isWellFormed: boolean;

  constructor(status: number, errors: readonly GraphqlWireError[], isWellFormed: boolean) {
    super(errors[0]?.message ?? 'The request cannot be executed.');
    this.name = 'RequestError';
    this.status = status;
    this.errors = errors;
    this.isWellFormed = isWellFormed;
  }
}

/** What every transport (HTTP, server-sent events, WebSocket) serves. */
export interface Endpoint {
  readonly schema: GraphQLSchema;
  readonly limits: GraphqlLimits;
  /** Finds the document, checks it and its limits. Throws `RequestError`. */
  prepare(request: GraphqlRequest, session: Session): Prepared;
  /** Runs a query or a mutation. Never rejects. */
  execute(prepared: Prepared, session: Session): Promise<GraphqlResult>;
  /** Starts a subscription: a stream of results, each of one event; one result when it cannot start. Never rejects. */
  subscribe(prepared: Prepared, session: Session): Promise<AsyncGenerator<GraphqlResult, void, void> | GraphqlResult>;
  /** Any failure as a wire error; unknown ones are logged and masked. */
  formatError(error: unknown, session: Pick<Session, 'requestId' | 'log'>): GraphqlWireError;
}
