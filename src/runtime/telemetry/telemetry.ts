import type { FastifyInstance } from 'fastify';
import type { Store } from '../storage/store.ts';
import { observedStore } from './observed-store.ts';
import { type Observer, observeBy } from './observer.ts';

export interface TelemetrySettings {
  readonly host: string;
  readonly metricsPort: number | undefined;
  readonly traceEndpoint: string | undefined;
  readonly serviceName: string;
  readonly traceShare: number;
}

/** Metrics and traces of a server. */
export interface Telemetry {
  readonly observer: Observer;
  store(store: Store): Store;
  /** Must be called before routes are added. */
  watch(app: FastifyInstance, inFlight: () => number): void;
  /** Counts idempotency keys that were deleted because they had expired. */
  countExpiredKeys(count: number): void;
  /** Fields to add to each line of the log. */
  logFields(): object;
  close(): Promise<void>;
}

/** Undefined when the settings ask for neither metrics nor traces; their packages are not even loaded then. */
export async function openTelemetry(settings: TelemetrySettings): Promise<Telemetry | undefined> {
  const { host, metricsPort, traceEndpoint: endpoint, serviceName, traceShare: sampledShare } = settings;
  const metrics = metricsPort === undefined ? undefined : new (await import('./metrics.ts')).Metrics();
  const tracing = endpoint && new (await import('./tracing.ts')).Tracing({ endpoint, serviceName, sampledShare });
  if (!metrics && !tracing) return undefined;
  const server = await metrics?.listen(host, metricsPort!);
  const observer = observeBy([...(tracing ? [tracing] : []), ...(metrics ? [metrics] : [])]);
  return {
    observer,
    store: (store) => observedStore(store, observer),
    watch(app, inFlight) {
      if (tracing) tracing.watch(app);
      metrics?.watch(app, inFlight);
    },
    countExpiredKeys: (count) => metrics?.countExpiredKeys(count),
    logFields: () => (tracing ? tracing.logFields() : {}),
    async close() {
      server?.close();
      server?.closeAllConnections();
      if (tracing) await tracing.close().catch(() => {});
    },
  };
}
