import type { FastifyBaseLogger } from 'fastify';
import { reasonOf } from '../../descriptor/config-error.ts';
import type { ApiError } from './api-error.ts';

type Log = Pick<FastifyBaseLogger, 'error' | 'warn'>;

/** A reason for refusals that lasts until the instance is replaced, and that an operator reads once a minute. */
export class LastingFault extends Error {}

const COUNTED_MS = 1_000;
/** For what lasts until the instance is replaced. */
const LASTING_MS = 60_000;

/** Logs what keeps the server from answering, over any protocol. What callers do wrong is not logged. */
export class FailureLog {
  readonly #log: Log | undefined;
  /** How many requests were refused since the last line, by their code and the reason. */
  readonly #refused = new Map<string, number>();

  /** `log`: for what is about several requests. */
  constructor(log?: Log) {
    this.#log = log;
  }

  /** An unexpected error gets a line; of refusals, the first does, and then their number once a second; once a minute, if a table or column is missing. */
  tell(error: ApiError<string>, status: number, log: Log): void {
    const { code, cause } = error;
    if (code === 'INTERNAL_ERROR') log.error({ err: cause ?? error }, 'request failed');
    else if (status >= 500 && cause !== undefined) {
      if (cause instanceof LastingFault) this.#refuse({ code, why: cause.message }, log, LASTING_MS);
      else this.#refuse({ code, why: reasonOf(cause) }, log, COUNTED_MS);
    }
  }

  #refuse(fields: { readonly code: string; readonly why: string }, log: Log, intervalMs: number): void {
    const kind = `${fields.code} ${fields.why}`;
    const known = this.#refused.get(kind);
    this.#refused.set(kind, (known ?? -1) + 1);
    if (known !== undefined) return;
    log.warn(fields, 'request refused');
    const counting = setInterval(() => {
      const count = this.#refused.get(kind);
      if (count) this.#log?.warn({ ...fields, count }, 'requests refused');
      else clearInterval(counting);
      if (count) this.#refused.set(kind, 0);
      else this.#refused.delete(kind);
    }, intervalMs).unref();
  }
}
