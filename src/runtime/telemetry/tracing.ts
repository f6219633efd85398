import { setTimeout as delay } from 'node:timers/promises';
import {
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { lookUp } from '../../descriptor/look-up.ts';
import { errorTypeOf, type JobOutcome, type ObservedJob, type Observer, whenDone } from './observer.ts';
import { operationOf, type RouteOf } from './operation-of.ts';
import { type ExportLog, SpanExporter } from './span-exporter.ts';

export interface TracingOptions {
  /** URL of a collector that accepts OTLP over HTTP. */
  readonly endpoint: string;
  /** What this service is: attributes of the resource. */
  readonly service: Readonly<Record<string, string>>;
  /** `db.system.name`. */
  readonly dbSystem: string;
  /** Share of the traces started by this server that are sampled, from 0 to 1. */
  readonly sampledShare: number;
}

/** How long the last spans may take. */
const FLUSH_TIMEOUT_MS = 1_000;

/** Spans of requests, GraphQL operations, calls of tools and statements (https://opentelemetry.io/docs/specs/semconv/). */
export class Tracing implements Observer {
  readonly #provider: TracerProvider;
  readonly #tracer: Tracer;
  readonly #exporter: SpanExporter;
  readonly #dbSystem: string;
  readonly #spans = new WeakMap<FastifyRequest, Span>();

  constructor({ endpoint, service, dbSystem, sampledShare }: TracingOptions) {
    this.#dbSystem = dbSystem;
    this.#exporter = new SpanExporter({ url: `${endpoint}/v1/traces` });
    const exporter = this.#exporter;
    this.#provider = new TracerProvider({
      resource: resourceFromAttributes(service),
      sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(sampledShare) }),
      spanProcessors: [new BatchSpanProcessor({ exporter })],
    });
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    propagation.setGlobalPropagator(new W3CTraceContextPropagator());
    this.#tracer = this.#provider.getTracer('lockstep');
  }

  observe: Observer['observe'] = ({ kind, action, subject }, work, isFailure) => {
    const name = `${action} ${subject}`;
    const attributes = {
      statement: { 'db.system.name': this.#dbSystem, 'db.operation.name': action, 'db.collection.name': subject },
      operation: { 'graphql.operation.type': action, 'graphql.operation.name': subject },
      tool: { 'mcp.method.name': 'tools/call', 'gen_ai.tool.name': subject },
    }[kind];
    const span = this.#tracer.startSpan(name, {
      kind: kind === 'statement' ? SpanKind.CLIENT : SpanKind.INTERNAL,
      attributes,
    });
    return whenDone(
      () => context.with(trace.setSpan(context.active(), span), work),
      (failure) => endOf(span, failure),
      isFailure,
    );
  };

  /** A span of an attempt, in a trace of its own: the request that has sent the job, and is linked, ended long ago. */
  async observeJob<T extends JobOutcome>({ name, traceparent }: ObservedJob, run: () => Promise<T>): Promise<T> {
    const sender = trace.getSpanContext(propagation.extract(ROOT_CONTEXT, { traceparent }));
    const attributes = { 'messaging.operation.type': 'process', 'messaging.destination.name': name };
    const links = sender ? [{ context: sender }] : [];
    const span = this.#tracer.startSpan(`run ${name}`, { kind: SpanKind.CONSUMER, attributes, links }, ROOT_CONTEXT);
    const outcome = await context.with(trace.setSpan(ROOT_CONTEXT, span), run);
    endOf(span, outcome.error);
    return outcome;
  }

  /** The active span, as a header field (https://www.w3.org/TR/trace-context/#traceparent-header). */
  readonly traceparent = (): string | undefined => {
    const carrier: { traceparent?: string } = {};
    propagation.inject(context.active(), carrier);
    return carrier.traceparent;
  };

  /** Makes a span for every request to the app, as a child of the client's span. */
  watch(app: FastifyInstance, routeOf: RouteOf): void {
    app.addHook('onRequest', (request, _reply, done) => {
      const parent = propagation.extract(ROOT_CONTEXT, request.headers);
      const { method } = request;
      const route = routeOf(request);
      const operationId = operationOf(request);
      const span = this.#tracer.startSpan(
        route === undefined ? method : `${method} ${route}`,
        {
          kind: SpanKind.SERVER,
          attributes: {
            'http.request.method': method,
            'url.scheme': request.protocol,
            'url.path': request.url.split('?', 1)[0]!,
            ...(route !== undefined && { 'http.route': route }),
            ...(operationId !== undefined && { 'lockstep.operation_id': operationId }),
          },
        },
        parent,
      );
      this.#spans.set(request, span);
      context.with(trace.setSpan(parent, span), done);
    });
    // Reading the body runs in the async context of the connection: the context of the request is restored here.
    app.addHook('preHandler', (request, _reply, done) => {
      context.with(trace.setSpan(ROOT_CONTEXT, lookUp(this.#spans, request)), done);
    });
    app.addHook('onResponse', (request, reply, done) => {
      const span = this.#spans.get(request);
      span?.setAttribute('http.response.status_code', reply.statusCode);
      if (reply.statusCode >= 500) {
        span?.setAttribute('error.type', String(reply.statusCode));
        span?.setStatus({ code: SpanStatusCode.ERROR });
      }
      span?.end();
      done();
    });
  }

  /** The trace and span that a line of the log belongs to. */
  readonly logFields = (): object => {
    const active = trace.getActiveSpan()?.spanContext();
    return active ? { traceId: active.traceId, spanId: active.spanId } : {};
  };

  /** Where to say that the collector cannot be reached. */
  logTo(log: ExportLog): void {
    this.#exporter.logTo(log);
  }

  /** Sends the spans that have not been exported, unless the collector takes none: a process that ends does not wait for it. */
  async close(): Promise<void> {
    const sent = this.#provider.shutdown().catch(() => {});
    if (!this.#exporter.hasFailed) await Promise.race([sent, delay(FLUSH_TIMEOUT_MS, undefined, { ref: false })]);
    context.disable();
    propagation.disable();
  }
}

function endOf(span: Span, failure: unknown): void {
  if (failure !== undefined) {
    span.setAttribute('error.type', errorTypeOf(failure));
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
}
