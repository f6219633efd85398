import type { FastifyInstance } from 'fastify';
import type { Store } from '../storage/store.ts';
import type { Measured } from './metrics.ts';
import { observedStore } from './observed-store.ts';
import { type JobOutcome, type ObservedJob, type Observer, observeBy } from './observer.ts';
import type { RouteOf } from './operation-of.ts';
import type { Sources } from './sources.ts';
import type { ExportLog } from './span-exporter.ts';

export interface TelemetrySettings {
  readonly host: string;
  readonly metricsPort: number | undefined;
  readonly traceEndpoint: string | undefined;
  /** `service.name`; that of the attributes, or `lockstep`, if left out. */
  readonly serviceName: string | undefined;
  /** Attributes of the resource, by name. */
  readonly resourceAttributes: Readonly<Record<string, string>> | undefined;
  readonly database: { readonly kind: 'sqlite' | 'postgres' };
  readonly traceShare: number;
}

/** Gets how a server is measured. */
export type ReportMetrics = (measure: () => Promise<Measured>) => void;

/** Metrics and traces of a server. */
export interface Telemetry {
  readonly observer: Observer;
  /** Whether the traces of callers go on here. */
  readonly continuesTraces: boolean;
  store(store: Store): Store;
  /** Must be called before routes are added. */
  watch(app: FastifyInstance, sources: Sources, routeOf: RouteOf): void;
  /** Where failures of telemetry itself are logged. */
  logTo(log: ExportLog): void;
  /** Counts idempotency keys that were deleted because they had expired. */
  countExpiredKeys(count: number): void;
  /** The span that goes on, if traces are sent. */
  traceparent(): string | undefined;
  /** Runs a job. */
  observeJob<T extends JobOutcome>(job: ObservedJob, run: () => Promise<T>): Promise<T>;
  /** Fields to add to each line of the log. */
  logFields(): object;
  close(): Promise<void>;
}

/**
 * Undefined when the settings ask for neither metrics nor traces; their packages are not even loaded then. `version` is that
 * of the contract. `report`: whoever serves the metrics instead.
 */
export async function openTelemetry(
  settings: TelemetrySettings,
  version: string,
  report?: ReportMetrics,
): Promise<Telemetry | undefined> {
  const { host, metricsPort, traceEndpoint: endpoint, traceShare: sampledShare } = settings;
  const service = serviceOf(settings, version);
  const dbSystem = settings.database.kind === 'postgres' ? 'postgresql' : 'sqlite';
  const metrics = metricsPort === undefined ? undefined : new (await import('./metrics.ts')).Metrics(dbSystem, service);
  const tracing = endpoint && new (await import('./tracing.ts')).Tracing({ endpoint, service, dbSystem, sampledShare });
  if (!metrics && !tracing) return undefined;
  if (metrics) report?.(metrics.measured);
  const server = report ? undefined : await metrics?.listen(host, metricsPort!);
  const observer = observeBy([...(tracing ? [tracing] : []), ...(metrics ? [metrics] : [])]);
  return {
    observer,
    store: (store) => observedStore(store, observer),
    watch(app, sources, routeOf) {
      if (tracing) tracing.watch(app, routeOf);
      metrics?.watch(app, sources, routeOf);
    },
    logTo: (log) => {
      if (tracing) tracing.logTo(log);
    },
    countExpiredKeys: (count) => metrics?.countExpiredKeys(count),
    traceparent: () => (tracing ? tracing.traceparent() : undefined),
    observeJob(job, run) {
      const spanned = tracing ? () => tracing.observeJob(job, run) : run;
      return metrics ? metrics.observeJob(job, spanned) : spanned();
    },
    continuesTraces: Boolean(tracing),
    logFields: () => (tracing ? tracing.logFields() : {}),
    async close() {
      server?.close();
      server?.closeAllConnections();
      if (tracing) await tracing.close();
    },
  };
}

/** The resource of OpenTelemetry: the settings prevail over its attributes. */
function serviceOf(
  { serviceName, resourceAttributes = {} }: TelemetrySettings,
  version: string,
): Readonly<Record<string, string>> {
  const name = serviceName ?? resourceAttributes['service.name'] ?? 'lockstep';
  return { 'service.version': version, ...resourceAttributes, 'service.name': name };
}
