import type { StartOptions } from './runtime/start-generated.ts';

// The public API: what generated code, handlers and projects import. It is cheap to import; the server loads in `start`.

export type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
export type { ErrorCatalogue, ErrorDescriptor } from './descriptor/error.ts';
export type { GraphqlDescriptor } from './descriptor/graphql.ts';
export type { ResourceDescriptor } from './descriptor/resource.ts';
export type { Claims, CredentialsRequest, Principal, SecurityHandler } from './runtime/auth/index.ts';
export type {
  ActionContext,
  Caller,
  CallerTables,
  ChangeContext,
  DefineJob,
  EventHandlers,
  FieldHandler,
  HandlerContext,
  Job,
  JobContext,
  JobDefinition,
  JobTransaction,
  ListOptions,
  Log,
  OperationContext,
  Overrides,
  PageOf,
  ResourceOverrides,
  ResourceTypes,
  RootFieldHandler,
  RowEvent,
  Schedule,
  SendOptions,
  Table,
  Tables,
  Totals,
  TotalsOptions,
} from './runtime/engine/interface/index.ts';
export { ApiError, type ApiErrorConstructor, type ErrorDetails, type FieldError } from './runtime/errors/index.ts';
export type { GraphqlContext, ResolverContext, ResolverWiring } from './runtime/graphql/fields/index.ts';
export { jobsOf } from './runtime/jobs/index.ts';
export type {
  Answered,
  CodeContext,
  OperationHandler,
  OperationInputs,
  OperationReply,
  OperationRequest,
  Sent,
} from './runtime/operations/index.ts';
export type { RouteHandler, RouteHandlers, Routes, RouteWiring } from './runtime/rest/index.ts';
export type { DownStep, QueryText, StepContext } from './runtime/rest/versions/index.ts';
export type { ServedHandlers } from './runtime/served-handlers.ts';
export type { StartOptions };

/**
 * Serves a generated contract until the process gets SIGTERM or SIGINT. Resolves with the address of the server once it
 * listens. Rejects with `ConfigError` for a setting or a folder that it cannot use, with `HandlerError` when the handlers
 * do not match the contract, with `MigrationError` when the database does not, and with the error of the system when it
 * cannot listen.
 * @example
 * import { start } from 'lockstep';
 * import { handlers } from './handlers/index.ts';
 *
 * const url = await start({ generated: new URL('../generated/', import.meta.url), handlers });
 * console.log(`Listens on ${url}.`);
 */
export async function start(options: StartOptions): Promise<string> {
  const { startGenerated } = await import('./runtime/start-generated.ts');
  return startGenerated(options);
}
