import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import type { FastifyBaseLogger } from 'fastify';

export type ExportLog = Pick<FastifyBaseLogger, 'warn' | 'info'>;
type Export = OTLPTraceExporter['export'];

/** Sends spans to a collector, and says once in the log that it cannot, and once that it can again. */
export class SpanExporter extends OTLPTraceExporter {
  #log: ExportLog | undefined;
  #hasFailed = false;

  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  logTo(log: ExportLog): void {
    this.#log = log;
  }

  override export(...[spans, done]: Parameters<Export>): void {
    super.export(spans, (result) => {
      this.#settle(result.error);
      done(result);
    });
  }

  #settle(error: Error | undefined): void {
    if (error && !this.#hasFailed) this.#log?.warn({ err: error }, 'the collector takes no traces');
    if (!error && this.#hasFailed) this.#log?.info('the collector takes traces again');
    this.#hasFailed = error !== undefined;
  }
}
