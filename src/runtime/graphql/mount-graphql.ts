import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { type ExecutionResult, parse } from 'graphql';
import mercurius, { type MercuriusOptions } from 'mercurius';
import mercuriusAuth, { type MercuriusAuthOptions } from 'mercurius-auth';
import type { Access } from '../../descriptor/access.ts';
import type { ErrorCatalogue } from '../../descriptor/error.ts';
import type { GraphqlDescriptor } from '../../descriptor/graphql.ts';
import type { Identification } from '../auth/identification.ts';
import type { Engine } from '../engine/interface/engine.ts';
import type { ReportFailure } from '../errors/report-failure.ts';
import type { Pressure } from '../http/pressure.ts';
import type { RateLimiter } from '../http/rate-limiter.ts';
import type { Readiness } from '../http/readiness.ts';
import type { Observer } from '../telemetry/observer.ts';
import { createEndpoint } from './create-endpoint.ts';
import { createSessions } from './endpoint/create-sessions.ts';
import { observedEndpoint } from './endpoint/observed-endpoint.ts';
import { contextOf, type GraphqlContext } from './fields/context.ts';
import { type Policies, policiesOf } from './fields/policies.ts';
import { scalarResolvers } from './fields/scalars.ts';
import type { AnyResolvers } from './fields/wire-resolvers.ts';
import { registerGraphiql } from './graphiql.ts';
import { registerHttp } from './http/register-http.ts';
import { createEventReply } from './subscriptions/event-reply.ts';
import { registerWebSocket } from './subscriptions/register-websocket.ts';

export const GRAPHQL_PATH = '/graphql';

/** Mercurius keeps up to twice as many documents compiled; what it gets to compile is bounded. */
const MAX_COMPILED = 100;

export interface GraphqlOptions {
  /** The merged SDL with all directives. */
  readonly sdl: string;
  readonly descriptor: GraphqlDescriptor;
  readonly engine: Engine;
  readonly errors: ErrorCatalogue;
  readonly reportFailure?: ReportFailure | undefined;
  readonly identification: Identification;
  /** What answers each field that is no property of its parent. */
  readonly resolvers: AnyResolvers;
  readonly settings?: GraphqlSettings | undefined;
  readonly clock: () => Date;
  /** How often a caller may ask; as often as it likes, if left out. */
  readonly rateLimiter?: RateLimiter | undefined;
  /** Whose request it is, for those that no route sees. */
  readonly clientAddress: (request: IncomingMessage) => string;
  /** Watches each operation. */
  readonly observer?: Observer | undefined;
  readonly readiness: Readiness;
  readonly pressure: Pressure;
}

export interface GraphqlSettings {
  /** Callers may ask for the schema, and errors suggest names from it; on, if left out. */
  readonly introspection?: boolean;
  /** `/graphiql` serves a page; off, if left out. */
  readonly graphiql?: boolean;
  /** The only documents that are executed, by the SHA-256 of their text. */
  readonly registered?: ReadonlyMap<string, string> | undefined;
  /** A socket whose client takes so much longer than the server sends is closed; 8 MiB if left out. */
  readonly maxUnsentBytes?: number;
  /** How long a client may take nothing while something is unsent; 10 s if left out. */
  readonly stallTimeoutMs?: number;
  /** Time for a socket's first message; 3 s if left out. */
  readonly initTimeoutMs?: number;
}

/** Serves the contract's GraphQL side. */
export async function mountGraphql(app: FastifyInstance, options: GraphqlOptions): Promise<void> {
  const { descriptor, errors, reportFailure, identification, settings = {}, clock } = options;
  const { limits } = descriptor;
  await app.register(mercurius, {
    schema: options.sdl,
    resolvers: { ...scalarResolvers(parse(options.sdl)), ...options.resolvers },
    // Subscriptions are ours; Mercurius takes their resolvers only when it may have some itself.
    subscription: { pubsub: NO_PUBSUB },
    routes: false,
    jit: 1,
    cache: MAX_COMPILED,
    errorCacheSize: 1,
    // Errors are rendered where results leave the server.
    errorFormatter: ({ data, errors }: ExecutionResult) => ({
      statusCode: 200,
      response: { data: data ?? null, errors: errors as never },
    }),
  } as unknown as MercuriusOptions);
  await guard(app, policiesOf(descriptor, options.engine));
  const { schema } = app.graphql;
  const plain = createEndpoint({ app, schema, limits, errors, reportFailure, contextOf, ...settings });
  const endpoint = options.observer ? observedEndpoint(plain, options.observer) : plain;
  const openSession = createSessions(identification, accessesOf(options));
  const { rateLimiter, clientAddress, readiness, pressure } = options;
  const shared = { clock, rateLimiter, clientAddress, readiness, pressure };
  const transport = { path: GRAPHQL_PATH, endpoint, openSession, ...shared, ...settings };
  registerWebSocket(app, transport);
  registerHttp(app, { ...transport, replyWithEvents: createEventReply(app, transport) });
  if (settings.graphiql) registerGraphiql(app, { path: '/graphiql', endpointPath: GRAPHQL_PATH });
}

const NO_PUBSUB = { subscribe: () => undefined, publish: () => undefined };

/** Each guarded field lets its caller in before it is resolved. */
async function guard(app: FastifyInstance, policy: Policies): Promise<void> {
  const options: MercuriusAuthOptions<unknown, unknown, GraphqlContext, Access> = {
    mode: 'external',
    policy,
    applyPolicy: async (access, _parent, _args, { session }) => {
      session.admit(access);
      return true;
    },
  };
  await app.register(mercuriusAuth as unknown as FastifyPluginAsync<typeof options>, options);
}

/** Every access that some field asks for. */
function accessesOf({ descriptor, engine }: GraphqlOptions): readonly Access[] {
  const actions = [...engine.resources.values()].flatMap((resource) => Object.values(resource.descriptor.actions));
  const custom = Object.values(descriptor.fields).flatMap((field) => (field.kind === 'custom' ? [field.access] : []));
  return [...actions.map(({ access }) => access), ...custom];
}
