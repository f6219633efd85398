import { hash } from 'node:crypto';
import type { CompiledContract } from '../descriptor/compiled-contract.ts';
import type { Action } from '../descriptor/resource.ts';
import type { SecurityHandler } from './auth/security-handler.ts';
import type { Engine } from './engine/interface/engine.ts';
import type { Override } from './engine/interface/untyped.ts';
import type { FieldHandlers } from './graphql/fields/custom-resolvers.ts';
import type { Replacements } from './graphql/fields/replaced-resolver.ts';
import {
  type AnyResolvers,
  plannedResolvers,
  type WireResolvers,
  wireResolvers,
} from './graphql/fields/wire-resolvers.ts';
import type { AnyRouteHandler, CustomHandler } from './rest/custom-handler.ts';
import type { Route } from './rest/routes.ts';
import type { VersionStep } from './rest/versions/version.ts';
import { plannedRoutes, type WireRoutes, wireRoutes } from './rest/wire-routes.ts';
import type { SchemaRegistry } from './schema/schema-registry.ts';

/** Untyped hand-written code; `generated/handlers.ts` has the types. */
export interface AnyHandlers {
  readonly overrides?: Readonly<Record<string, { readonly [A in Action]?: Override } | undefined>>;
  readonly operations?: Readonly<Record<string, CustomHandler>>;
  readonly security?: Readonly<Record<string, SecurityHandler>>;
  /** How old versions differ from the current one, by name of the version. */
  readonly versions?: Readonly<Record<string, VersionStep>>;
  /** Custom GraphQL fields, by type and name. */
  readonly fields?: FieldHandlers;
  /** Replacements of routes, by operationId. */
  readonly routes?: Readonly<Record<string, AnyRouteHandler>>;
  /** Replacements of resolvers, by type and field. */
  readonly resolvers?: Replacements;
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
  { rest, document }: CompiledContract,
  { routes: wire }: Wiring,
  engine: Engine,
  { operations = {}, routes: replacements = {} }: AnyHandlers,
  allowMissing: boolean,
): ReadonlyMap<string, Route> {
  const operationIds = rest.operations.map(({ operationId }) => operationId);
  const digest = hash('sha1', JSON.stringify(document), 'base64url');
  return wireRoutes(operationIds, { wire, engine, digest, operations, replacements, allowMissing });
}

/** Throws `HandlerError` when wiring, handlers and contract do not match. */
export function resolversOf(
  { rest, graphql }: CompiledContract,
  { resolvers: wire }: Wiring,
  { engine, schemas }: { readonly engine: Engine; readonly schemas: SchemaRegistry },
  { fields = {}, resolvers: replacements = {} }: AnyHandlers,
  allowMissing: boolean,
): AnyResolvers {
  if (!wire || !graphql) throw new Error('The contract has a GraphQL side, but its wiring has no resolvers.');
  const { descriptor } = graphql;
  return wireResolvers({ wire, engine, rest, schemas, descriptor, fields, replacements, allowMissing });
}
