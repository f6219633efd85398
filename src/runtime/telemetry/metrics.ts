import { createServer, type Server } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { type Observer, whenDone } from './observer.ts';
import { operationOf } from './operation-of.ts';

const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Clients choose operation names, and each one takes memory for good. Names beyond this number share one label. */
const MAX_NAMES = 200;

/** Counts and durations for Prometheus. */
export class Metrics implements Observer {
  readonly #registry = new Registry();
  readonly #requests: Histogram<'method' | 'route' | 'operation' | 'status'>;
  readonly #statements: Histogram<'action' | 'resource' | 'outcome'>;
  readonly #operations: Histogram<'kind' | 'operation' | 'outcome'>;
  readonly #expiredKeys: Counter;
  readonly #names = new Set<string>();

  constructor() {
    const registers = [this.#registry];
    collectDefaultMetrics({ register: this.#registry });
    this.#requests = new Histogram({
      name: 'http_server_request_duration_seconds',
      help: 'Time to answer a request.',
      labelNames: ['method', 'route', 'operation', 'status'],
      buckets: BUCKETS_SECONDS,
      registers,
    });
    this.#statements = new Histogram({
      name: 'db_client_operation_duration_seconds',
      help: 'Duration of a database statement, by action and resource.',
      labelNames: ['action', 'resource', 'outcome'],
      buckets: BUCKETS_SECONDS,
      registers,
    });
    this.#operations = new Histogram({
      name: 'graphql_operation_duration_seconds',
      help: 'Time to execute a GraphQL operation; for a subscription, time to start it.',
      labelNames: ['kind', 'operation', 'outcome'],
      buckets: BUCKETS_SECONDS,
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

  observe: Observer['observe'] = ({ kind, action, subject }, work, isFailure) => {
    const startedMs = performance.now();
    const record = (failure: unknown): void => {
      const seconds = (performance.now() - startedMs) / 1_000;
      const outcome = failure === undefined ? 'ok' : 'error';
      if (kind === 'statement') this.#statements.observe({ action, resource: subject, outcome }, seconds);
      else this.#operations.observe({ kind: action, operation: this.#nameOf(subject), outcome }, seconds);
    };
    return whenDone(work, record, isFailure);
  };

  /** Measures every request to the app, by route. */
  watch(app: FastifyInstance, inFlight: () => number): void {
    new Gauge({
      name: 'http_server_active_requests',
      help: 'Requests in progress.',
      registers: [this.#registry],
      collect() {
        this.set(inFlight());
      },
    });
    app.addHook('onResponse', (request, reply, done) => {
      const { method, routeOptions } = request;
      const route = routeOptions.url ?? 'none';
      const labels = { method, route, operation: operationOf(request) ?? '', status: reply.statusCode };
      this.#requests.observe(labels, reply.elapsedTime / 1_000);
      done();
    });
  }

  /** Serves `/metrics` on a port of its own, which need not be reachable from outside. */
  listen(host: string, port: number): Promise<Server> {
    const server = createServer((request, response) => {
      if (request.url?.split('?', 1)[0] !== '/metrics') {
        response.writeHead(404).end();
        return;
      }
      this.#registry.metrics().then(
        (text) => response.writeHead(200, { 'content-type': this.#registry.contentType }).end(text),
        () => response.writeHead(500).end(),
      );
    });
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, () => resolve(server));
    });
  }

  #nameOf(name: string): string {
    if (this.#names.has(name)) return name;
    if (this.#names.size >= MAX_NAMES) return 'others';
    this.#names.add(name);
    return name;
  }
}
