import { hash } from 'node:crypto';
import type { CompiledContract } from '../descriptor/compiled-contract.ts';
import type { Action } from '../descriptor/resource.ts';
import type { SecurityHandler } from './auth/security-handler.ts';
import type { Engine } from './engine/interface/engine.ts';
import type { AnyJob } from './engine/interface/jobs.ts';
import type { Override } from './engine/interface/untyped.ts';
import type { FieldHandlers } from './graphql/fields/custom-resolvers.ts';
import type { Replacements } from './graphql/fields/replaced-resolver.ts';
import {
  type AnyResolvers,
  plannedResolvers,
  type WireResolvers,
  wireResolvers,
} from './graphql/fields/wire-resolvers.ts';
import { createProblemRenderer } from './http/problem.ts';
import type { EventHandlersByResource } from './jobs/event-jobs.ts';
import type { Schedules } from './jobs/schedules.ts';
import type { Operations } from './operations/create-operations.ts';
import type { OperationCode } from './operations/operation.ts';
import type { AnyRouteHandler } from './rest/custom-handler.ts';
import type { Route } from './rest/routes.ts';
import type { VersionStep } from './rest/versions/version.ts';
import { plannedRoutes, type WireRoutes, wireRoutes } from './rest/wire-routes.ts';

/** Untyped hand-written code; `generated/handlers.ts` has the types. */
export interface AnyHandlers {
  readonly overrides?: Readonly<Record<string, { readonly [A in Action]?: Override } | undefined>>;
  /** Custom operations, for every protocol. */
  readonly operations?: Readonly<Record<string, OperationCode>>;
  readonly security?: Readonly<Record<string, SecurityHandler>>;
  /** How old versions differ from the current one, by name of the version. */
  readonly versions?: Readonly<Record<string, VersionStep>>;
  /** Custom GraphQL fields, by type and name. */
  readonly fields?: FieldHandlers;
  /** Code of routes, and replacements of them, by operationId. */
  readonly routes?: Readonly<Record<string, AnyRouteHandler>>;
  /** Replacements of resolvers, by type and field. */
  readonly resolvers?: Replacements;
  readonly jobs?: readonly AnyJob[];
  /** Code after the commit of changes, by the keys of resources. */
  readonly on?: EventHandlersByResource;
  readonly schedules?: Schedules;
}

/** Wires all operations and fields of a contract: what `generated/routes.ts` and `generated/resolvers.ts` export. */
export interface Wiring {
  readonly routes: WireRoutes;
  /** Undefined: the contract is REST only. */
  readonly resolvers?: WireResolvers | undefined;
}

/** The wiring of a contract that is served without emitted files. */
export function plannedWiring({ rest, resources, graphql }: CompiledContract): Wiring {
  return {
    routes: plannedRoutes(rest, resources),
    resolvers: graphql && plannedResolvers(graphql.descriptor, resources),
  };
}

/** Throws `HandlerError` when wiring, handlers and contract do not match. */
export function routesOf(
  { rest, document, errors }: CompiledContract,
  { routes: wire }: Wiring,
  { engine, operations }: Served,
  { routes: code = {} }: AnyHandlers,
  allowMissing: boolean,
): ReadonlyMap<string, Route> {
  const operationIds = rest.operations.map(({ operationId }) => operationId);
  const digest = hash('sha1', JSON.stringify(document), 'base64url');
  const renderProblem = createProblemRenderer(errors);
  return wireRoutes(operationIds, { wire, engine, digest, operations, renderProblem, code, allowMissing });
}

/** What answers: the actions of resources, and custom operations. */
export interface Served {
  readonly engine: Engine;
  readonly operations: Operations;
}

/** Throws `HandlerError` when wiring, handlers and contract do not match. */
export function resolversOf(
  { graphql }: CompiledContract,
  { resolvers: wire }: Wiring,
  { engine, operations }: Served,
  { fields = {}, resolvers: replacements = {} }: AnyHandlers,
  allowMissing: boolean,
): AnyResolvers {
  if (!wire || !graphql) throw new Error('The contract has a GraphQL side, but its wiring has no resolvers.');
  const { descriptor } = graphql;
  return wireResolvers({ wire, engine, operations, descriptor, fields, replacements, allowMissing });
}
