import type { FastifyBaseLogger } from 'fastify';
import { type ExecutionResult, execute, type GraphQLSchema } from 'graphql';
import type { ErrorCatalogue } from '../../descriptor/error.ts';
import type { GraphqlLimits } from '../../descriptor/graphql.ts';
import type { Session } from '../admission/session.ts';
import type { Turns } from '../async/turns.ts';
import { MAX_LISTED_FAULTS } from '../errors/bounded.ts';
import type { FailureLog } from '../errors/failure-log.ts';
import type { ReportFailure } from '../errors/report-failure.ts';
import { openSources, registeredSources } from './documents/document-source.ts';
import { Documents } from './documents/documents.ts';
import { limitExceeded } from './documents/limits.ts';
import { RequestFaults } from './documents/request-fault.ts';
import { areRefused, variableFaults } from './documents/variable-faults.ts';
import { checkVariables } from './documents/variables-size.ts';
import type { Endpoint, Prepared } from './endpoint/endpoint.ts';
import { createErrorFormat, listed, MAX_LISTED_ERRORS } from './endpoint/error-format.ts';
import type { GraphqlRequest, GraphqlResult } from './endpoint/request.ts';
import type { GraphqlContext } from './fields/context.ts';
import { requestError } from './request-error.ts';
import type { AudienceOf } from './subscriptions/audience.ts';
import { createSubscribe } from './subscriptions/create-subscribe.ts';

export interface EndpointOptions {
  readonly log: Pick<FastifyBaseLogger, 'child'>;
  readonly schema: GraphQLSchema;
  readonly limits: GraphqlLimits;
  readonly errors: ErrorCatalogue;
  readonly failures: FailureLog;
  readonly reportFailure?: ReportFailure | undefined;
  readonly audienceOf: AudienceOf;
  readonly turns: Turns;
  readonly clock: () => number;
  /** Callers may ask for the schema, and errors suggest names from it. Allowed if left out. */
  readonly introspection?: boolean | undefined;
  /** The only documents that are executed, by their SHA-256. Any document is, if left out. */
  readonly registered?: ReadonlyMap<string, string> | undefined;
}

interface Ready extends Prepared {
  readonly isJitSafe: boolean;
}

/** Connects transports to resolvers: finds documents, enforces limits, executes operations and formats errors. */
export function createEndpoint(options: EndpointOptions): Endpoint {
  const { schema, limits, errors, failures, reportFailure, introspection = true, registered } = options;
  const sourceOf = registered ? registeredSources(registered) : openSources(limits.documentBytes);
  const documents = new Documents(schema, limits, introspection);
  const formatError = createErrorFormat(errors, introspection, failures, reportFailure);
  const wire = (result: ExecutionResult, session: Session): GraphqlResult => {
    const { errors: found, data } = result;
    const isRefused = data === undefined; // GraphQL, 7.1
    const limit = isRefused ? MAX_LISTED_FAULTS : MAX_LISTED_ERRORS;
    return {
      ...(found && { errors: listed(found, limit, (error) => formatError(error, session)) }),
      ...(!isRefused && { data }),
    };
  };
  return {
    schema,
    limits,
    formatError,
    prepare(request, session) {
      try {
        const { extensions } = request;
        if (extensions) session.consistency?.ask(extensions['consistencyToken']);
        return ready(request, sourceOf(request), documents, schema, limits);
      } catch (error) {
        throw requestError(error, session, formatError);
      }
    },
    async execute(prepared, session) {
      try {
        return withToken(wire(await run(schema, documents, prepared as Ready, session), session), session);
      } catch (error) {
        return { errors: [formatError(error, session)] };
      }
    },
    subscribe: createSubscribe({
      ...options,
      contextOf,
      wire,
      formatError,
      logFor: (requestId) => options.log.child({ requestId }),
    }),
  };
}

/** A new context for each execution. */
const contextOf = (session: Session, variables: Prepared['variables']): GraphqlContext => ({
  session,
  variables,
  batches: new Map(),
});

/** The token of what a mutation has committed, for the next read of its caller. */
function withToken(result: GraphqlResult, { consistency }: Session): GraphqlResult {
  const consistencyToken = consistency?.token;
  return consistencyToken === undefined ? result : { ...result, extensions: { consistencyToken } };
}

function ready(
  { operationName, variables = {} }: GraphqlRequest,
  source: string,
  documents: Documents,
  schema: GraphQLSchema,
  limits: GraphqlLimits,
): Ready {
  const { maxFaults, hasEmptyList } = checkVariables(variables);
  const prepared = documents.prepare(source, operationName);
  const cost = typeof prepared.cost === 'number' ? prepared.cost : prepared.cost(variables);
  if (cost > limits.cost) throw new RequestFaults([limitExceeded('cost of the operation', cost, limits.cost)]);
  const { operation, document, text, isJitSafe, accepts } = prepared;
  if (maxFaults !== undefined) {
    const faults = variableFaults(schema, operation, variables, maxFaults);
    if (faults.length > 0) throw new RequestFaults(faults);
  }
  const mayMislead = accepts === 'excess' || (accepts === 'empty lists' && hasEmptyList);
  return {
    kind: operation.operation,
    operationName: operation.name?.value,
    document,
    text,
    variables,
    cost,
    isJitSafe:
      (typeof isJitSafe === 'boolean' ? isJitSafe : isJitSafe(variables)) &&
      !(mayMislead && areRefused(schema, operation, variables)),
  };
}

/**
 * Runs the compiled operation, except if it deviates from the specification. It refuses variables in words of its own, before
 * it calls a resolver, and some that are valid: then graphql-js decides.
 */
async function run(schema: GraphQLSchema, documents: Documents, ready: Ready, session: Session) {
  const { document, variables } = ready;
  const query = ready.isJitSafe ? documents.compiled(ready) : undefined;
  const result = await query?.({}, contextOf(session, variables), variables);
  if (result && 'data' in result) return result;
  return execute({ schema, document, contextValue: contextOf(session, variables), variableValues: variables });
}
