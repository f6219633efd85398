import fastify, { type FastifyInstance } from 'fastify';
import type { CompiledContract } from '../descriptor/compiled-contract.ts';
import type { ErrorCatalogue } from '../descriptor/error.ts';
import type { EventField, FieldDescriptor } from '../descriptor/graphql.ts';
import { type Authentication, registerAuthentication } from './auth/authenticator.ts';
import { Identification } from './auth/identification.ts';
import { createEngine } from './engine/create-engine.ts';
import type { Peers } from './engine/events/peers.ts';
import { ListCache } from './engine/lists/list-cache.ts';
import { createProblemRenderer } from './errors/problem.ts';
import type { ReportFailure } from './errors/report-failure.ts';
import { type GraphqlSettings, mountGraphql } from './graphql/mount-graphql.ts';
import { registerAccessLog } from './http/access-log.ts';
import { createClientAddress } from './http/client-address.ts';
import { type FastifySettings, fastifyOptions } from './http/fastify-options.ts';
import { HEALTH_PATHS, registerHealth } from './http/health.ts';
import { NO_LIMITS, Pressure, type PressureLimits } from './http/pressure.ts';
import { createProblemReply } from './http/problem-reply.ts';
import { type Counter, RateLimiter } from './http/rate-limiter.ts';
import type { Readiness } from './http/readiness.ts';
import { mountRest } from './rest/mount-rest.ts';
import type { RouteParts } from './rest/route-compiler.ts';
import { mountVersions } from './rest/versions/mount-versions.ts';
import { createSchemaRegistry } from './schema/create-schema-registry.ts';
import { mountSite } from './site/mount-site.ts';
import type { Site } from './site/site.ts';
import type { Store } from './storage/store.ts';
import type { Telemetry } from './telemetry/telemetry.ts';
import { type AnyHandlers, plannedWiring, resolversOf, routesOf, type Wiring } from './wiring.ts';

export interface ServerOptions {
  /** With what answers its operations and fields, as emitted; else, they are wired by the contract's own plan. */
  readonly contract: CompiledContract & { readonly wiring?: Wiring };
  readonly handlers?: AnyHandlers;
  /** Custom operations without a handler answer 501 instead of failing the boot. */
  readonly allowMissing?: boolean;
  readonly store: Store;
  /** How bearer tokens are judged; by the server's clock, unless it has its own. */
  readonly authentication: Authentication;
  /** Timeouts, limits, logging. */
  readonly http?: Omit<FastifySettings, 'errors' | 'readiness' | 'pressure' | 'alwaysOpen'>;
  /** Hold every answer against the contract. */
  readonly checkResponses?: boolean;
  readonly graphql?: GraphqlSettings;
  readonly readiness?: Readiness;
  /** When requests are refused because there are too many; never, if left out. */
  readonly pressureLimits?: PressureLimits;
  /** Memory for pages of lists; 0 keeps none. */
  readonly listCacheBytes?: number;
  /** Requests of one caller in a minute; 0, or left out: as many as it likes. */
  readonly requestsPerMinute?: number;
  /** Requests of callers that other servers count, too. */
  readonly counter?: Counter | undefined;
  /** The other servers of the same rows. */
  readonly peers?: Peers | undefined;
  /** Watches requests and operations; the store must be watched already. */
  readonly telemetry?: Telemetry | undefined;
  /** The documentation, served at `/`. */
  readonly site?: Site | undefined;
  /** Gets each error that nobody foresaw; never in production, because what it returns goes into the answer. */
  readonly reportFailure?: ReportFailure | undefined;
  /** Before any route is there. */
  readonly prepareApp?: (app: FastifyInstance) => void;
  readonly clock?: () => Date;
  /** New ids: UUIDv7, rising. */
  readonly newId?: () => string;
}

const LIST_CACHE_BYTES = 64 * 2 ** 20;
const LIST_MAX_AGE_MS = 10_000;

function listCache({ store, peers, listCacheBytes = LIST_CACHE_BYTES }: ServerOptions): ListCache | undefined {
  if (listCacheBytes === 0) return undefined;
  const changesElsewhere = () => store.changesElsewhere() ?? peers?.epoch;
  return new ListCache({ maxBytes: listCacheBytes, maxAgeMs: LIST_MAX_AGE_MS, changesElsewhere });
}

function rateLimiter({ requestsPerMinute = 0, counter, clock = () => new Date() }: ServerOptions) {
  if (requestsPerMinute === 0) return undefined;
  return new RateLimiter({ limit: requestsPerMinute, windowMs: 60_000, shared: counter, clock });
}

/** Resources of whose changes a subscription may tell. */
function watchedIn({ graphql }: CompiledContract): ReadonlySet<string> {
  const fields = Object.values(graphql?.descriptor.fields ?? {});
  return new Set(fields.flatMap((field) => (isEvent(field) ? [field.resource] : [])));
}

const isEvent = (field: FieldDescriptor): field is EventField =>
  field.kind === 'created' || field.kind === 'updated' || field.kind === 'deleted';

/** The server of one contract, ready to listen. Throws when handlers and contract do not match. */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const { contract, handlers = {}, store, readiness = { isReady: true }, peers } = options;
  const { document, resources, errors } = contract;
  const schemas = createSchemaRegistry(document);
  schemas.compileAll();
  const engine = await createEngine({
    document,
    resources,
    schemas,
    store,
    ...(handlers.overrides && { overrides: handlers.overrides }),
    ...(options.clock && { clock: options.clock }),
    ...(options.newId && { newId: options.newId }),
    watched: watchedIn(contract),
    lists: listCache(options),
    peers,
  });
  const pressure = new Pressure({ ...NO_LIMITS, ...options.pressureLimits });
  const app = fastify(fastifyOptions({ ...options.http, errors, readiness, pressure, alwaysOpen: HEALTH_PATHS }));
  options.telemetry?.watch(app, () => pressure.concurrent);
  options.prepareApp?.(app);
  registerAccessLog(app);
  const { clock = () => new Date() } = options;
  const authenticate = await registerAuthentication(app, { clock, ...options.authentication });
  const limiter = rateLimiter(options);
  const { allowMissing = false } = options;
  const { wiring = plannedWiring(contract) } = contract;
  const identification = new Identification(document, authenticate, handlers.security, allowMissing);
  const replyProblemOf = (catalogue: ErrorCatalogue) =>
    createProblemReply(createProblemRenderer(catalogue, options.http?.errorsUrl), options.reportFailure);
  const parts: RouteParts = {
    document,
    schemas,
    identification,
    rateLimiter: limiter,
    checkResponses: options.checkResponses,
    replyProblem: replyProblemOf(errors),
  };
  await mountRest(app, routesOf(contract, wiring, engine, handlers, allowMissing), parts);
  const { versions = {} } = contract;
  const steps = handlers.versions ?? {};
  await mountVersions(app, { versions, steps, present: parts, replyProblemOf, allowMissing });
  // Behind the handler of errors: a route takes the one that is there when it is added.
  registerHealth(app, store, readiness);
  mountSite(app, errors, options.site);
  if (contract.graphql) {
    const { sdl, descriptor } = contract.graphql;
    await mountGraphql(app, {
      sdl,
      descriptor,
      resolvers: resolversOf(descriptor, wiring, engine, handlers, allowMissing),
      engine,
      errors,
      reportFailure: options.reportFailure,
      identification,
      settings: options.graphql,
      clock,
      rateLimiter: limiter,
      clientAddress: createClientAddress(options.http?.trustProxy),
      readiness,
      pressure,
      observer: options.telemetry?.observer,
    });
  }
  await app.ready();
  return app;
}
