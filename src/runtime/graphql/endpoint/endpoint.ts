import type { DocumentNode, GraphQLSchema } from 'graphql';
import type { GraphqlLimits } from '../../../descriptor/graphql.ts';
import type { Session } from '../../admission/session.ts';
import type { GraphqlRequest, GraphqlResult, GraphqlWireError } from './request.ts';
import type { Leave, Subscriber } from './subscriber.ts';

type OperationKind = 'query' | 'mutation' | 'subscription';

/** An operation with its variables that is valid and respects all limits: it is ready for execution. */
export interface Prepared {
  readonly kind: OperationKind;
  readonly operationName: string | undefined;
  /** The operation with the fragments that it uses. */
  readonly document: DocumentNode;
  /** The source of the same. */
  readonly text: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** With these variables, in the units of `@limits(cost:)`. */
  readonly cost: number;
}

/** The error of a request that is not executed, with its HTTP status. */
export class RequestError extends Error {
  readonly status: number;
  readonly errors: readonly GraphqlWireError[];
  /** Whether the request is well-formed, and the error is in its document, operation or variables. */
  readonly isWellFormed: boolean;

  constructor(status: number, errors: readonly GraphqlWireError[], isWellFormed: boolean) {
    super(errors[0]?.message ?? 'The request cannot be executed.');
    this.name = 'RequestError';
    this.status = status;
    this.errors = errors;
    this.isWellFormed = isWellFormed;
  }
}

/**
 * Starts a subscription: the subscriber gets a result for each event until it leaves, or until the subscription ends. A
 * subscription that cannot start has one result. Never rejects.
 */
export type Subscribe = (
  prepared: Prepared,
  session: Session,
  subscriber: Subscriber,
) => Promise<Leave | GraphqlResult>;

/** Executes the operations of all transports (HTTP, server-sent events, WebSocket). */
export interface Endpoint {
  readonly schema: GraphQLSchema;
  readonly limits: GraphqlLimits;
  /** Finds the document, and checks it and its limits. Throws `RequestError`. */
  prepare(request: GraphqlRequest, session: Session): Prepared;
  /** Runs a query or a mutation. Never rejects. */
  execute(prepared: Prepared, session: Session): Promise<GraphqlResult>;
  readonly subscribe: Subscribe;
  /** Formats any error for clients. Unexpected errors are logged and masked. */
  formatError(error: unknown, session: Pick<Session, 'requestId' | 'log'>): GraphqlWireError;
}
