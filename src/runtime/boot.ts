import { setTimeout as delay } from 'node:timers/promises';
import closeWithGrace from 'close-with-grace';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { basePathOf } from '../descriptor/base-path.ts';
import type { CompiledContract } from '../descriptor/compiled-contract.ts';
import { systemFault } from '../descriptor/config-error.ts';
import { developmentKeys } from './auth/development-key.ts';
import type { Keys } from './auth/keys.ts';
import { MIN_NODE_MAJOR } from './boot-fault.ts';
import type { ReportFailure } from './errors/report-failure.ts';
import type { GraphqlSettings } from './graphql/mount-graphql.ts';
import { checkBodyLimits } from './http/body-limits.ts';
import type { HttpSettings } from './http/fastify-options.ts';
import { ownHosts } from './http/own-hosts.ts';
import type { Readiness } from './http/readiness.ts';
import { stopListening } from './http/stop-listening.ts';
import type { JobRunner } from './jobs/job-runner.ts';
import { openAdmitted, openDatabase } from './open-database.ts';
import { readRegisteredDocuments } from './registered-documents.ts';
import { compiledValidators } from './schema/compiled-validators.ts';
import { createSchemaRegistry } from './schema/create-schema-registry.ts';
import { createServer } from './server.ts';
import { serverLog } from './server-log.ts';
import type { Config } from './settings/config.ts';
import { openShared } from './shared-services.ts';
import { folderSite } from './site/folder-site.ts';
import type { Site } from './site/site.ts';
import type { Store } from './storage/store.ts';
import { observedStore } from './telemetry/observed-store.ts';
import { slowStatements } from './telemetry/slow-statements.ts';
import { openTelemetry } from './telemetry/telemetry.ts';
import type { AnyHandlers } from './wiring.ts';
import type { Team } from './workers/team.ts';

const IDLE_SWEEP_MS = 50;
/** How long a worker that is replaced serves connections to their next answers. */
const LEAVING_MS = 1_000;
/** Connections that may wait to be accepted; the operating system may allow fewer. */
const BACKLOG = 4_096;

export interface Boot {
  readonly config: Config;
  readonly contract: CompiledContract;
  readonly handlers?: AnyHandlers;
  readonly allowMissing?: boolean;
  /** Runs on the open store before the server listens. */
  readonly prepare?: (store: Store) => Promise<void>;
  /** The documentation, unless `DOCS_DIR` is set. */
  readonly site?: Site | undefined;
  /** What GraphiQL sends as header fields at first; asked when its page is made. */
  readonly graphiqlHeaders?: GraphqlSettings['graphiqlHeaders'];
  /** Never in production: what it returns goes into the answer. */
  readonly reportFailure?: ReportFailure | undefined;
  /** Called before any route is added. */
  readonly prepareApp?: (app: FastifyInstance) => void;
  /** The other workers of the instance, whose primary has admitted the database. */
  readonly team?: Team | undefined;
}

export interface Running {
  readonly app: FastifyInstance;
  /** Where callers reach the server, without a trailing slash. */
  readonly url: string;
  readonly keys: Keys;
}

/**
 * Opens the store, serves the contract, and shuts down gracefully on SIGTERM and SIGINT. Rejects with an error that
 * `explainBootFault` knows when a setting, a handler or the database does not fit.
 */
export async function boot(options: Boot): Promise<Running> {
  checkNode();
  const { config, contract, team } = options;
  const { version } = contract.document.info;
  const telemetry = await openTelemetry(config, version, team?.reportMetrics).catch((error: unknown) => {
    throw systemFault('METRICS_PORT', String(config.metricsPort), error);
  });
  const log = serverLog(config.logLevel, telemetry?.logFields);
  if (!team) checkBodyLimits(contract, config.workers, (message) => log.warn(message));
  const database = await (team ? openAdmitted : openDatabase)(config, contract, log);
  telemetry?.logTo(log);
  const { slowStatementMs } = config;
  const timed =
    slowStatementMs === undefined ? database : observedStore(database, slowStatements(log, slowStatementMs));
  const store = telemetry?.store(timed) ?? timed;
  await options.prepare?.(store);
  const keys = config.keys ?? ownKeys(config.dataDir);
  const readiness: Readiness = { isReady: true };
  const site = config.docsDir === undefined ? options.site : folderSite(config.docsDir);
  const graphql = { ...(await graphqlSettings(config)), graphiqlHeaders: options.graphiqlHeaders };
  const shared = await openShared(config, contract, log, team);
  const schemas = createSchemaRegistry(contract.document, compiledValidators[basePathOf(contract.document)]);
  let jobs: JobRunner | undefined;
  const app = await createServer({
    contract,
    schemas,
    handlers: options.handlers,
    allowMissing: options.allowMissing,
    store,
    authentication: {
      keys,
      issuers: config.jwtIssuers,
      audience: config.jwtAudience,
      scopeClaims: config.jwtScopeClaims,
      leewayMs: config.jwtLeewayS * 1_000,
    },
    http: httpSettings(config, log),
    checkResponses: config.checkResponses,
    graphql,
    mcp: { publicUrl: config.publicUrl, issuers: config.jwtIssuers },
    readiness,
    servesReadsOnly: config.serveReadsOnly,
    pressureLimits: { maxConcurrent: config.maxConcurrentRequests, maxWaitMs: config.maxWaitMs },
    listCacheBytes: config.listCacheMb * 2 ** 20,
    requestsPerMinute: config.requestsPerMinute,
    maxSocketsPerCaller: config.maxSocketsPerCaller,
    corsOrigins: config.corsOrigins,
    corsHeaders: config.corsHeaders,
    counter: shared?.counter,
    peers: shared?.peers,
    telemetry,
    site,
    reportFailure: options.reportFailure,
    namesRules: !config.isProduction,
    prepareApp: options.prepareApp,
    onJobs: (runner) => {
      if (!config.serveReadsOnly) jobs = runner;
    },
  });
  // In production no request waits for its validators; a server of development starts sooner.
  if (config.isProduction) schemas.compileAll();
  const close = async (): Promise<void> => {
    await shared?.close();
    await store.close();
    await telemetry?.close();
  };
  stopWithGrace(app, close, readiness, config, log, team);
  await team?.ready();
  const address = await app.listen({ host: config.host, port: config.port, backlog: BACKLOG });
  const url = config.publicUrl ?? reachable(address);
  team?.serving(url);
  jobs?.start(config.jobsAtOnce, team?.isFirst);
  return { app, url, keys };
}

/** Throws if this version of Node cannot run the server; npm scripts run on one that can. */
function checkNode(): void {
  if (Number(process.versions.node.split('.')[0]) >= MIN_NODE_MAJOR) return;
  throw new Error(`Node ${process.version} is too old; use npm scripts, or Node ${MIN_NODE_MAJOR} or newer.`);
}

function ownKeys(dataDir: string): Keys {
  try {
    return developmentKeys(dataDir);
  } catch (error) {
    throw systemFault('DATA_DIR', dataDir, error);
  }
}

/** An address that callers can use: `[::]` stands for every interface, and is not one. */
const reachable = (address: string): string => address.replace('//[::]', '//[::1]');

function httpSettings(config: Config, log: Logger): HttpSettings {
  const { requestTimeoutMs, headersTimeoutMs, keepAliveTimeoutMs, bodyLimitBytes: maxBodyBytes, trustProxy } = config;
  const { workers } = config;
  const isOwnHost = config.isProduction ? undefined : ownHosts(config.publicUrl);
  return { requestTimeoutMs, headersTimeoutMs, keepAliveTimeoutMs, maxBodyBytes, trustProxy, workers, log, isOwnHost };
}

async function graphqlSettings(config: Config): Promise<GraphqlSettings> {
  const { introspection, graphiql, registeredDocuments, maxSubscriptionCost: subscriptionBudget, workers } = config;
  const registered = registeredDocuments === undefined ? undefined : await readRegisteredDocuments(registeredDocuments);
  return { introspection, graphiql, registered, subscriptionBudget, workers };
}

/**
 * Shuts down on a signal (a worker when its primary says so), or after an uncaught error: at first only `/readyz` says
 * so, then the listener closes, running requests finish, then the store closes.
 */
function stopWithGrace(
  app: FastifyInstance,
  close: () => Promise<void>,
  readiness: Readiness,
  { shutdownTimeoutMs, shutdownDelayMs }: Config,
  log: Logger,
  team: Team | undefined,
): void {
  let isStopping = false;
  const skip = [...(team?.signals ?? [])];
  const grace = closeWithGrace({ delay: shutdownDelayMs + shutdownTimeoutMs, logger: log, skip }, async ({ err }) => {
    isStopping = true;
    if (err) log.fatal({ err }, 'stopping after an uncaught error');
    if (!readiness.isLeaving) readiness.isReady = false;
    if (!err) await delay(readiness.isLeaving ? LEAVING_MS : shutdownDelayMs);
    await closeServer(app);
    await close();
  });
  team?.onStop(({ isReplaced }) => {
    if (isStopping) return;
    readiness.isLeaving = isReplaced;
    void grace.close();
  });
}

/**
 * Waits until running requests have finished. A connection that was busy when the server closed stays open after its
 * response: it is closed here once it is idle.
 */
async function closeServer(app: FastifyInstance): Promise<void> {
  const { ended } = await stopListening(app.server);
  const sweep = setInterval(() => app.server.closeIdleConnections(), IDLE_SWEEP_MS);
  try {
    await app.close();
    await ended;
  } finally {
    clearInterval(sweep);
  }
}
