import type { FastifyBaseLogger } from 'fastify';

type Line = Parameters<FastifyBaseLogger['info']>;
type Bindings = Parameters<FastifyBaseLogger['child']>[0];

/**
 * A logger that creates child loggers only when they write their first line. Most requests log nothing, and creating a
 * child can cost more than answering the request.
 */
export class RequestLog implements FastifyBaseLogger {
  readonly #parent: FastifyBaseLogger;
  readonly #bindings: object | undefined;
  /** What has become known about the request. */
  #operationId: string | undefined;
  #caller: string | undefined;
  #child: FastifyBaseLogger | undefined;

  /** Without bindings, lines go to the parent as they are. */
  constructor(parent: FastifyBaseLogger, bindings?: object) {
    this.#parent = parent;
    this.#bindings = bindings;
  }

  get #own(): FastifyBaseLogger {
    this.#child ??= this.#bindings ? this.#parent.child(this.#known(this.#bindings)) : this.#parent;
    return this.#child;
  }

  /** Adds the operation and the caller to all further lines of a request's log. */
  static identify(log: object, operationId: string | undefined, caller: string | undefined): void {
    if (log instanceof RequestLog) log.#identify(operationId, caller);
  }

  #identify(operationId: string | undefined, caller: string | undefined): void {
    this.#operationId = operationId;
    this.#caller = caller;
    this.#child = undefined;
  }

  #known(bindings: object): Bindings {
    const [operationId, caller] = [this.#operationId, this.#caller];
    return { ...bindings, ...(operationId !== undefined && { operationId }), ...(caller !== undefined && { caller }) };
  }

  get level(): string {
    return this.#parent.level;
  }

  fatal(...line: unknown[]): void {
    this.#own.fatal(...(line as Line));
  }

  error(...line: unknown[]): void {
    this.#own.error(...(line as Line));
  }

  warn(...line: unknown[]): void {
    this.#own.warn(...(line as Line));
  }

  info(...line: unknown[]): void {
    this.#own.info(...(line as Line));
  }

  debug(...line: unknown[]): void {
    this.#own.debug(...(line as Line));
  }

  trace(...line: unknown[]): void {
    this.#own.trace(...(line as Line));
  }

  silent(): void {}

  child(bindings: Bindings, options?: Parameters<FastifyBaseLogger['child']>[1]): FastifyBaseLogger {
    for (const _ in options) return new RequestLog(this.#own.child(bindings, options));
    return new RequestLog(this.#own, bindings);
  }
}
