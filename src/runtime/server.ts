import fastify, { type FastifyInstance } from 'fastify';
import { basePathOf } from '../descriptor/base-path.ts';
import type { CompiledContract } from '../descriptor/compiled-contract.ts';
import type { EventField, FieldDescriptor } from '../descriptor/graphql.ts';
import { Admission } from './admission/admission.ts';
import { type Authentication, registerAuthentication } from './auth/authenticator.ts';
import { Identification } from './auth/identification.ts';
import { createEngine, type EngineOptions } from './engine/create-engine.ts';
import type { Peers } from './engine/events/peers.ts';
import type { Log } from './engine/interface/call.ts';
import type { Engine } from './engine/interface/engine.ts';
import { changesBeside, ListCache } from './engine/lists/list-cache.ts';
import { FailureLog } from './errors/failure-log.ts';
import type { ReportFailure } from './errors/report-failure.ts';
import { createStrayReport, type ReportStray } from './errors/stray-values.ts';
import { replacedFields } from './graphql/fields/replaced-resolver.ts';
import { type GraphqlSettings, mountGraphql } from './graphql/mount-graphql.ts';
import { checkedHandlers } from './handlers-shape.ts';
import { registerAccessLog } from './http/access-log.ts';
import { AllowedPaths } from './http/allowed-methods.ts';
import { bodyShare } from './http/body-limits.ts';
import { createClientAddress } from './http/client-address.ts';
import { type AllowedOrigins, Cors, registerCors, TRACE_CONTEXT } from './http/cors.ts';
import { fastifyOptions, type HttpSettings } from './http/fastify-options.ts';
import { HEALTH_PATHS, registerHealth } from './http/health.ts';
import { createPages } from './http/pages.ts';
import { NO_LIMITS, Pressure, type PressureLimits } from './http/pressure.ts';
import { createProblemRenderer } from './http/problem.ts';
import { createProblemReply } from './http/problem-reply.ts';
import { type Counter, RateLimiter } from './http/rate-limiter.ts';
import type { Readiness } from './http/readiness.ts';
import { SocketPlaces } from './http/socket-places.ts';
import { consumedBy, eventJobs } from './jobs/event-jobs.ts';
import { JobRunner } from './jobs/job-runner.ts';
import type { McpSettings } from './mcp/mount-mcp.ts';
import { createOperations } from './operations/create-operations.ts';
import { mountRest } from './rest/mount-rest.ts';
import type { RouteParts } from './rest/route-compiler.ts';
import { mountVersion, servedVersions } from './rest/versions/mount-version.ts';
import { createSchemaRegistry } from './schema/create-schema-registry.ts';
import { commonFields, hasCookieCredentials } from './schema/credential-fields.ts';
import { Pickers } from './schema/pick.ts';
import type { SchemaRegistry } from './schema/schema-registry.ts';
import { mountSite } from './site/mount-site.ts';
import type { Site } from './site/site.ts';
import { createSitePages } from './site/site-pages.ts';
import { deleteExpiredKeys, type ExpiryOptions } from './storage/expired-keys.ts';
import type { Store } from './storage/store.ts';
import type { Sources, SubscriptionCounts } from './telemetry/sources.ts';
import type { Telemetry } from './telemetry/telemetry.ts';
import { type AnyHandlers, plannedWiring, resolversOf, routesOf, type Wiring } from './wiring.ts';

export interface ServerOptions {
  /** With its emitted wiring; without one, operations and fields are wired by the contract's own plan. */
  readonly contract: CompiledContract & { readonly wiring?: Wiring };
  readonly handlers?: AnyHandlers | undefined;
  readonly schemas?: SchemaRegistry;
  /** Custom operations without a handler answer 501 instead of failing the boot. */
  readonly allowMissing?: boolean | undefined;
  readonly store: Store;
  /** Verifies bearer tokens, by the server's clock unless it has its own. */
  readonly authentication: Authentication;
  readonly http?: HttpSettings;
  /** Validates every response against the contract. A deviation is logged and answered as `INTERNAL_ERROR`. */
  readonly checkResponses?: boolean;
  readonly graphql?: GraphqlSettings;
  readonly mcp?: Omit<McpSettings, 'origins'> | undefined;
  readonly readiness?: Readiness;
  /** The database takes no writes, on purpose: the server is ready all the same, and deletes nothing that has expired. */
  readonly servesReadsOnly?: boolean;
  /** Beyond these, requests are refused; no limits if left out. */
  readonly pressureLimits?: PressureLimits;
  /** Memory for pages of lists; 64 MiB if left out, and 0 disables the cache. */
  readonly listCacheBytes?: number;
  /** How many requests a caller may send; 0, or left out: any number. */
  readonly requestsPerMinute?: number;
  /** How many WebSockets a caller may have open; 1,000 if left out. */
  readonly maxSocketsPerCaller?: number;
  /** Whose pages may read answers; those of this server alone if left out. */
  readonly corsOrigins?: AllowedOrigins | undefined;
  /** Header fields that pages of other origins may send beside those of the contract. */
  readonly corsHeaders?: readonly string[] | undefined;
  /** Counts requests together with other servers. */
  readonly counter?: Counter | undefined;
  /** The other servers on the same database. */
  readonly peers?: Peers | undefined;
  /** Observes requests and operations. The store must be observed already. */
  readonly telemetry?: Telemetry | undefined;
  /** The documentation, served at `/`. */
  readonly site?: Site | undefined;
  /** Gets each unexpected error. Never in production, because what it returns goes into the answer. */
  readonly reportFailure?: ReportFailure | undefined;
  /** Refusals name the rule that refused. Never in production: rules reveal rows that callers may not see. */
  readonly namesRules?: boolean | undefined;
  /** Called before any route is added. */
  readonly prepareApp?: ((app: FastifyInstance) => void) | undefined;
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
  /** How often the server looks for idempotency keys that have expired; each minute if left out. */
  readonly expiryIntervalMs?: number;
  /** Gets the runner of the handlers' jobs, which run once it is started. */
  readonly onJobs?: ((runner: JobRunner) => void) | undefined;
  /** Makes the ids of new rows; UUIDv7 in ascending order if left out. */
  readonly newId?: () => string;
}

const MAX_SOCKETS_PER_CALLER = 1_000;
const LIST_CACHE_BYTES = 64 * 2 ** 20;
const LIST_MAX_AGE_MS = 10_000;
const RATE_WINDOW_MS = 60_000;
const EXPIRY_INTERVAL_MS = 60_000;

/** Makes the server of one contract, ready to listen. Throws when the handlers do not match the contract. */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const { contract, allowMissing = false, store, http = {}, telemetry, reportFailure } = options;
  const { clock = Date.now, readiness = { isReady: true } } = options;
  const { document, rest, errors, versions = {}, wiring = plannedWiring(contract) } = contract;
  const schemas = options.schemas ?? createSchemaRegistry(document);
  const handlers = checkedHandlers(options.handlers ?? {}, {
    resources: contract.resources,
    views: store.jobs.views,
  });
  const hasMapped = contract.resources.some(({ mapped }) => mapped);
  const reportStray = options.checkResponses && !hasMapped ? undefined : createStrayReport(http.log);
  const lists = listCacheOf(options.listCacheBytes, store, options.peers);
  const consumed = consumedBy(handlers.on ?? {});
  const jobs = jobRunner(options, handlers);
  const engine = await engineOf({ ...options, handlers, clock, jobs, consumed }, schemas, lists, reportStray);
  const pressure = new Pressure(options.pressureLimits ?? NO_LIMITS);
  const renderProblem = createProblemRenderer(errors);
  const sockets = new SocketPlaces(options.maxSocketsPerCaller ?? MAX_SOCKETS_PER_CALLER);
  const cors = new Cors(options.corsOrigins ?? [], hasCookieCredentials(rest), [
    ...(telemetry?.continuesTraces ? TRACE_CONTEXT : []),
    ...(options.corsHeaders ?? []),
  ]);
  const failures = new FailureLog(http.log);
  const replyProblem = createProblemReply(renderProblem, failures, reportFailure);
  const app = fastify(
    fastifyOptions(http, renderProblem, replyProblem, { pressure, readiness, alwaysOpen: HEALTH_PATHS, cors }),
  );
  const subscriptions: SubscriptionCounts = { open: 0, missed: 0 };
  const paths = new AllowedPaths();
  telemetry?.watch(app, sourcesOf(options, { pressure, lists, subscriptions, jobs }), paths.routeOf);
  options.prepareApp?.(app);
  if (options.corsOrigins?.length) registerCors(app, cors, paths);
  registerAccessLog(app);
  const authenticate = await registerAuthentication(app, options.authentication, clock);
  const identification = new Identification(rest, authenticate, handlers.security, allowMissing);
  const rateLimiter = rateLimiterOf(options.requestsPerMinute, options.counter, clock);
  const admission = new Admission(identification, rateLimiter, pressure);
  const hasHooks = options.prepareApp !== undefined || (options.corsOrigins?.length ?? 0) > 0;
  const parts: RouteParts = {
    document,
    rest,
    schemas,
    admission,
    checkResponses: options.checkResponses,
    errors,
    replyProblem,
    bodyShare: bodyShare(http.workers ?? 1),
    hasHooks,
    paths,
  };
  const pages = options.site && createSitePages(options.site, basePathOf(document));
  const pickers = new Pickers(document, schemas);
  const code = { engine, schemas, pickers, check: options.checkResponses ?? false };
  const served = { engine, operations: createOperations(contract, handlers, code, allowMissing) };
  await mountRest(app, routesOf(contract, wiring, served, handlers, allowMissing), parts, pages?.unknown);
  for (const old of servedVersions(versions, handlers.versions ?? {}, allowMissing)) {
    const renderOldProblem = createProblemRenderer(old.version.errors);
    await mountVersion(app, { ...old, engine }, parts, createProblemReply(renderOldProblem, failures, reportFailure));
  }
  // Added after the error handler: a route takes the one that exists at that time.
  const servePage = createPages(app, paths, replyProblem);
  registerHealth(servePage, store, readiness, options.servesReadsOnly);
  mountSite(paths, servePage, errors, pages);
  if (contract.graphql) {
    await mountGraphql(app, {
      sdl: contract.graphql.sdl,
      descriptor: contract.graphql.descriptor,
      engine,
      errors,
      failures,
      reportFailure,
      resolvers: resolversOf(contract, wiring, served, handlers, allowMissing),
      replaced: replacedFields(handlers.resolvers ?? {}),
      settings: options.graphql ?? {},
      guards: { admission, clientAddress: createClientAddress(http.trustProxy), cors, sockets },
      hasHooks,
      fields: commonFields(rest),
      servePage,
      documentation: pages && '/docs/graphql.html',
      paths,
      renderProblem,
      clock,
      reportStray,
      observer: telemetry?.observer,
      subscriptions,
    });
  }
  if (contract.tools) {
    // Who offers nothing loads nothing of it.
    const { mountMcp } = await import('./mcp/mount-mcp.ts');
    mountMcp(app, {
      contract,
      ...served,
      pickers,
      routes: handlers.routes,
      admission,
      settings: { ...options.mcp, origins: (origin) => cors.allows(origin) },
      readsCurrent: store.replica !== undefined || options.peers !== undefined,
      failures,
      reportFailure,
      renderProblem,
      replyProblem,
      observer: telemetry?.observer,
      bodyLimit: app.initialConfig.bodyLimit ?? 0,
      servePage,
      paths,
      fields: commonFields(rest),
    });
  }
  paths.refuseShadowed(app);
  const expiry: ExpiryOptions = {
    clock,
    intervalMs: options.expiryIntervalMs ?? EXPIRY_INTERVAL_MS,
    onDeleted: telemetry?.countExpiredKeys,
    onFailure: (err) => app.log.warn({ err }, 'expired idempotency keys could not be deleted'),
  };
  if (!options.servesReadsOnly) app.addHook('onClose', deleteExpiredKeys(store, expiry));
  jobs.runIn(engine);
  app.addHook('preClose', () => jobs.stop());
  options.onJobs?.(jobs);
  await app.ready();
  return app;
}

/** What metrics read. */
function sourcesOf(
  { store, peers }: ServerOptions,
  parts: {
    readonly pressure: Pressure;
    readonly lists: ListCache | undefined;
    readonly subscriptions: SubscriptionCounts;
    readonly jobs: JobRunner;
  },
): Sources {
  const { pressure, lists, subscriptions, jobs } = parts;
  return {
    activeRequests: () => pressure.concurrent,
    connections: store.connections,
    isRedisUp: peers?.isConnected === undefined ? undefined : () => peers.isConnected === true,
    replica: store.replica,
    cachedLists: lists?.counts ?? { hits: 0, misses: 0 },
    subscriptions,
    jobs: () => jobs.counts(),
  };
}

/** Its time is the database's, unless the server has a clock. */
function jobRunner(
  { contract, store, clock, http, telemetry, reportFailure }: ServerOptions,
  { jobs = [], on = {}, schedules = {} }: AnyHandlers,
): JobRunner {
  const all = [...jobs, ...eventJobs(contract.resources, on)];
  const log = http?.log ?? SILENT;
  return new JobRunner({ jobs: all, schedules, queue: store.jobs, log, clock, telemetry, reportFailure });
}

const SILENT: Log = { info: () => {}, warn: () => {}, error: () => {} };

function engineOf(
  options: ServerOptions & Pick<EngineOptions, 'clock' | 'jobs' | 'consumed'>,
  schemas: SchemaRegistry,
  lists: ListCache | undefined,
  reportStray: ReportStray | undefined,
): Promise<Engine> {
  const { contract, handlers, store, peers, clock, newId } = options;
  const { document, rest, resources } = contract;
  return createEngine({
    document,
    rest,
    resources,
    schemas,
    store,
    overrides: handlers?.overrides,
    clock,
    newId,
    watched: watchedIn(contract),
    lists,
    peers,
    reportStray,
    maxCost: contract.graphql?.descriptor.limits.cost,
    namesRules: options.namesRules,
    jobs: options.jobs,
    consumed: options.consumed,
  });
}

function listCacheOf(maxBytes = LIST_CACHE_BYTES, store: Store, peers: Peers | undefined): ListCache | undefined {
  if (maxBytes === 0) return undefined;
  return new ListCache({ maxBytes, maxAgeMs: LIST_MAX_AGE_MS, changesElsewhere: changesBeside(store, peers) });
}

function rateLimiterOf(limit = 0, shared: Counter | undefined, clock: () => number): RateLimiter | undefined {
  return limit === 0 ? undefined : new RateLimiter({ limit, windowMs: RATE_WINDOW_MS, shared, clock });
}

/** Keys of the resources that some subscription reports changes of. */
function watchedIn({ graphql }: CompiledContract): ReadonlySet<string> {
  const fields = Object.values(graphql?.descriptor.fields ?? {});
  return new Set(fields.flatMap((field) => (isEvent(field) ? [field.resource] : [])));
}

const isEvent = (field: FieldDescriptor): field is EventField =>
  field.kind === 'created' || field.kind === 'updated' || field.kind === 'deleted';
