import type { FastifyBaseLogger } from 'fastify';

type Line = Parameters<FastifyBaseLogger['info']>;
type Bindings = Parameters<FastifyBaseLogger['child']>[0];

/**
 * A log whose children cost nothing until they write. Most requests log nothing: the child logger, which costs more
 * than many an answer, is made when the first line is written.
 */
export class RequestLog implements FastifyBaseLogger {
  readonly #parent: FastifyBaseLogger;
  readonly #bindings: object | undefined;
  /** Found out about the request since. */
  #operationId: string | undefined;
  #caller: string | undefined;
  #child: FastifyBaseLogger | undefined;

  /** Without bindings it is the parent itself. */
  constructor(parent: FastifyBaseLogger, bindings?: object) {
    this.#parent = parent;
    this.#bindings = bindings;
  }

  get #own(): FastifyBaseLogger {
    this.#child ??= this.#bindings ? this.#parent.child(this.#known(this.#bindings)) : this.#parent;
    return this.#child;
  }

  /** Lines of a request's log say from now on which operation was asked for, and by whom. */
  static tell(log: FastifyBaseLogger, operationId: string | undefined, caller: string | undefined): void {
    if (log instanceof RequestLog) log.#about(operationId, caller);
  }

  #about(operationId: string | undefined, caller: string | undefined): void {
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
