/** The public API: what generated code, handlers and projects import. Nothing else is. */
export type { ErrorCatalogue } from './descriptor/error.ts';
export type { GraphqlDescriptor } from './descriptor/graphql.ts';
export type { ResourceDescriptor } from './descriptor/resource.ts';
export type { Principal } from './runtime/auth/principal.ts';
export type { CredentialsRequest, SecurityHandler } from './runtime/auth/security-handler.ts';
export type { Caller } from './runtime/engine/interface/call.ts';
export type { FieldHandler, OperationContext, RootFieldHandler } from './runtime/engine/interface/field-handler.ts';
export type {
  ActionContext,
  ChangeContext,
  Overrides,
  ResourceTypes,
  Table,
  Tables,
} from './runtime/engine/interface/overrides.ts';
export { ApiError, type ApiErrorConstructor } from './runtime/errors/api-error.ts';
export type { Answered, OperationHandler, Sent } from './runtime/rest/operation-handler.ts';
export type { QueryText } from './runtime/rest/versions/version.ts';
