import type { Server } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { FastifyInstance } from 'fastify';
import {
  type Aggregator,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client';
import type { ConnectionCounts } from '../storage/store.ts';
import { serveMetrics } from './metrics-server.ts';
import { errorTypeOf, type JobOutcome, type ObservedJob, type Observer, whenDone } from './observer.ts';
import { operationOf, type RouteOf } from './operation-of.ts';
import type { Sources } from './sources.ts';

/** Of jobs, which may take a minute. */
const LONG_BUCKETS_SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300];
const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Clients choose operation names, and each one takes memory for good. Names beyond this number share one label. */
const MAX_NAMES = 200;

/** Nanoseconds in a second. */
const NANOSECONDS = 1e9;

/** What a server has measured, as prom-client passes it on. */
export type Measured = readonly MetricObjectWithValues<MetricValue<string>>[];

/**
 * Counts and durations for Prometheus, by OpenTelemetry's names where it has some
 * (https://opentelemetry.io/docs/specs/semconv/): dots are underscores, and the unit is at the end.
 */
export class Metrics implements Observer {
  readonly #registry = new Registry();
  readonly #requests: Histogram<
    'http_request_method' | 'http_route' | 'http_response_status_code' | 'error_type' | 'lockstep_operation_id'
  >;
  readonly #statements: Histogram<'db_system_name' | 'db_operation_name' | 'db_collection_name' | 'error_type'>;
  readonly #operations: Histogram<'graphql_operation_type' | 'graphql_operation_name' | 'error_type'>;
  readonly #tools: Histogram<'graphql_operation_type' | 'graphql_operation_name' | 'error_type'>;
  readonly #jobs: Histogram<'name' | 'outcome'>;
  readonly #expiredKeys: Counter;
  readonly #names = new Set<string>();
  /** `db.system.name`. */
  readonly #dbSystem: string;

  constructor(dbSystem: string, service: Readonly<Record<string, string>>) {
    this.#dbSystem = dbSystem;
    const labels = Object.fromEntries(
      Object.entries(service).map(([name, value]) => [name.replaceAll(/\W/g, '_'), value]),
    );
    const labelNames = Object.keys(labels);
    const info = { name: 'target_info', help: 'What this service is.', labelNames, aggregator: 'first' as const };
    new Gauge({ ...info, registers: [this.#registry] }).set(labels, 1);
    const registers = [this.#registry];
    collectDefaultMetrics({ register: this.#registry });
    this.#requests = new Histogram({
      name: 'http_server_request_duration_seconds',
      help: 'Time to answer a request.',
      labelNames: [
        'http_request_method',
        'http_route',
        'http_response_status_code',
        'error_type',
        'lockstep_operation_id',
      ],
      buckets: BUCKETS_SECONDS,
      registers,
    });
    this.#statements = new Histogram({
      name: 'db_client_operation_duration_seconds',
      help: 'Duration of a database statement, by action and resource.',
      labelNames: ['db_system_name', 'db_operation_name', 'db_collection_name', 'error_type'],
      buckets: BUCKETS_SECONDS,
      registers,
    });
    this.#operations = new Histogram({
      name: 'graphql_operation_duration_seconds',
      help: 'Time to execute a GraphQL operation; for a subscription, time to start it.',
      labelNames: ['graphql_operation_type', 'graphql_operation_name', 'error_type'],
      buckets: BUCKETS_SECONDS,
      registers,
    });
    this.#tools = new Histogram({
      name: 'mcp_server_operation_duration_seconds',
      help: 'Time to call a tool of the Model Context Protocol, by its name.',
      labelNames: ['mcp_method_name', 'gen_ai_tool_name', 'error_type'],
      buckets: BUCKETS_SECONDS,
      registers,
    });
    this.#jobs = new Histogram({
      name: 'lockstep_job_duration_seconds',
      help: 'Duration of an attempt to run a job, by its name: done, tried again, dead, or given back.',
      labelNames: ['name', 'outcome'],
      buckets: LONG_BUCKETS_SECONDS,
      registers,
    });
    this.#expiredKeys = new Counter({
      name: 'idempotency_keys_expired_total',
      help: 'Idempotency keys that were deleted because they had expired.',
      registers,
    });
  }

  /** Counts idempotency keys that were deleted because they had expired. */
  readonly countExpiredKeys = (count: number): void => this.#expiredKeys.inc(count);

  async observeJob<T extends JobOutcome>({ name }: ObservedJob, run: () => Promise<T>): Promise<T> {
    const startedMs = performance.now();
    const outcome = await run();
    this.#jobs.observe({ name, outcome: outcome.end.kind }, (performance.now() - startedMs) / 1_000);
    return outcome;
  }

  observe: Observer['observe'] = ({ kind, action, subject }, work, isFailure) => {
    const startedMs = performance.now();
    const record = (failure: unknown): void => {
      const seconds = (performance.now() - startedMs) / 1_000;
      const error_type = failure === undefined ? '' : errorTypeOf(failure);
      if (kind === 'statement') {
        const labels = { db_system_name: this.#dbSystem, db_operation_name: action, db_collection_name: subject };
        this.#statements.observe({ ...labels, error_type }, seconds);
        return;
      }
      if (kind === 'tool') {
        const labels = { mcp_method_name: 'tools/call', gen_ai_tool_name: subject };
        this.#tools.observe({ ...labels, error_type }, seconds);
        return;
      }
      const labels = { graphql_operation_type: action, graphql_operation_name: this.#nameOf(subject) };
      this.#operations.observe({ ...labels, error_type }, seconds);
    };
    return whenDone(work, record, isFailure);
  };

  /** Measures every request to the app, by route, and reads the sources whenever somebody asks. */
  watch(app: FastifyInstance, sources: Sources, routeOf: RouteOf): void {
    this.#gauge('lockstep_workers', 'Processes that serve.', () => 1);
    this.#gauge('http_server_active_requests', 'Requests in progress.', sources.activeRequests);
    const { connections, cachedLists, isRedisUp, subscriptions } = sources;
    if (connections) this.#watchConnections(connections);
    if (sources.replica) this.#watchReplica(sources.replica);
    if (isRedisUp) this.#gauge('lockstep_redis_up', 'Whether Redis can be reached.', () => Number(isRedisUp()), 'min');
    this.#total('lockstep_list_cache_hits_total', 'Pages of lists that were kept.', () => cachedLists.hits);
    this.#total('lockstep_list_cache_misses_total', 'Pages of lists that were read.', () => cachedLists.misses);
    this.#gauge('lockstep_subscriptions', 'Open subscriptions.', () => subscriptions.open);
    this.#total('lockstep_events_missed_total', 'Reports of missed events.', () => subscriptions.missed);
    this.#watchJobs(sources.jobs);
    this.#watchEventLoop();
    app.addHook('onResponse', (request, reply, done) => {
      const labels = {
        http_request_method: request.method,
        http_route: routeOf(request) ?? '',
        http_response_status_code: reply.statusCode,
        error_type: reply.statusCode >= 500 ? String(reply.statusCode) : '',
        lockstep_operation_id: operationOf(request) ?? '',
      };
      this.#requests.observe(labels, reply.elapsedTime / 1_000);
      done();
    });
  }

  /** Serves `/metrics` on a port of its own, which need not be reachable from outside. */
  listen(host: string, port: number): Promise<Server> {
    return serveMetrics(host, port, async () => this.#registry);
  }

  /** All of it as data, for whoever adds up what several servers have measured. */
  readonly measured = (): Promise<Measured> => this.#registry.getMetricsAsJSON();

  #watchConnections(counts: NonNullable<Sources['connections']>): void {
    const name = (state: keyof ConnectionCounts) => () => counts()[state];
    this.#gauge('db_client_connection_used', 'Connections that run a transaction.', name('used'));
    this.#gauge('db_client_connection_idle', 'Connections that could run a transaction.', name('idle'));
    this.#gauge('db_client_connection_pending_requests', 'Transactions that wait for a connection.', name('waiting'));
    this.#gauge('lockstep_locked_tables', 'Tables on which statements wait for a lock.', name('locked'), 'max');
  }

  #watchReplica(state: NonNullable<Sources['replica']>): void {
    const isServing = () => Number(state().isServing);
    this.#gauge('lockstep_replica_up', 'Whether the replica keeps up and answers reads.', isServing, 'min');
    this.#total('lockstep_replica_reads_total', 'Reads that the replica answered.', () => state().replica);
    this.#total(
      'lockstep_primary_reads_total',
      'Reads that the primary answered beside a replica.',
      () => state().primary,
    );
    this.#total(
      'lockstep_unsure_reads_total',
      'Reads, of either, while the primary did not say how far it was.',
      () => state().unsure,
    );
  }

  /** Those of the database, which all servers count alike. */
  #watchJobs(counts: Sources['jobs']): void {
    let asked: ReturnType<typeof counts> | undefined;
    const once = async () => {
      asked ??= counts();
      try {
        return await asked;
      } catch {
        return undefined;
      } finally {
        asked = undefined;
      }
    };
    const common = { registers: [this.#registry], aggregator: 'max' as const };
    const help = 'Jobs of the database, by state.';
    const byState = async function (this: Gauge<'state'>): Promise<void> {
      const found = await once();
      this.reset();
      if (!found) return;
      const { isHeld, waiting, running, dead } = found;
      const states = { waiting: isHeld ? 0 : waiting, held: isHeld ? waiting : 0, running, dead };
      for (const [state, count] of Object.entries(states)) this.set({ state }, count);
    };
    new Gauge({ name: 'lockstep_jobs', help, labelNames: ['state'], collect: byState, ...common });
    const oldest = async function (this: Gauge): Promise<void> {
      const found = await once();
      if (found) this.set(found.oldestMs / 1_000);
    };
    const since = 'For how long the first job has been due.';
    new Gauge({ name: 'lockstep_job_oldest_seconds', help: since, collect: oldest, ...common });
  }

  /** How much later timers ran than they should have, since the last time somebody asked. */
  #watchEventLoop(): void {
    const delay = monitorEventLoopDelay({ resolution: 10 });
    delay.enable();
    const seconds = (nanoseconds: number): number => (Number.isFinite(nanoseconds) ? nanoseconds / NANOSECONDS : 0);
    const help = 'Delay of the event loop since it was last asked for.';
    this.#gauge('nodejs_eventloop_delay_p50_seconds', help, () => seconds(delay.percentile(50)), 'max');
    this.#gauge('nodejs_eventloop_delay_p99_seconds', help, () => seconds(delay.percentile(99)), 'max');
    const longest = (): number => {
      const max = seconds(delay.max);
      delay.reset();
      return max;
    };
    this.#gauge('nodejs_eventloop_delay_max_seconds', help, longest, 'max');
  }

  /** `aggregator`: what those of several workers come to together. */
  #gauge(name: string, help: string, read: () => number, aggregator: Aggregator = 'sum'): void {
    const collect = function (this: Gauge): void {
      this.set(read());
    };
    new Gauge({ name, help, registers: [this.#registry], collect, aggregator });
  }

  /** A counter whose total is kept elsewhere. */
  #total(name: string, help: string, read: () => number): void {
    const collect = function (this: Counter): void {
      this.reset();
      this.inc(read());
    };
    new Counter({ name, help, registers: [this.#registry], collect });
  }

  #nameOf(name: string): string {
    if (this.#names.has(name)) return name;
    if (this.#names.size >= MAX_NAMES) return 'others';
    this.#names.add(name);
    return name;
  }
}
