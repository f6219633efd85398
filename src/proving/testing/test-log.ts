import { type Logger, pino } from 'pino';
import type { TestClock } from './test-clock.ts';

/**
 * An error in the log.
 * @example
 * import type { LoggedError } from 'lockstep/testing';
 *
 * const describe = ({ type, message }: LoggedError): string => `${type}: ${message}`;
 */
export interface LoggedError {
  /** Name of its class. */
  readonly type: string;
  readonly message: string;
  readonly stack: string;
}

/**
 * A line of the server's log. What a handler throws unexpectedly is in `err` of a line of level `error`: callers only
 * get `INTERNAL_ERROR`.
 * @example
 * import { type LogEntry, serve } from 'lockstep/testing';
 *
 * await using service = await serve({ contracts: 'contracts', allowMissing: true });
 * const faults: LogEntry[] = service.log.filter(({ level }) => level === 'error');
 * console.log(faults.map(({ err }) => err?.stack));
 */
export interface LogEntry {
  readonly level: 'info' | 'warn' | 'error' | 'fatal';
  /** By the test's clock (RFC 3339). */
  readonly time: string;
  readonly message?: string;
  readonly err?: LoggedError;
  readonly requestId?: string;
  /** Fields that the server, or `caller.log` of a handler, added. */
  readonly [field: string]: unknown;
}

/** A log from level `info` on whose lines go to an array. */
export function logInto(entries: LogEntry[], clock: TestClock): Logger {
  return pino(
    {
      level: 'info',
      base: null,
      messageKey: 'message',
      formatters: { level: (level) => ({ level }) },
      timestamp: () => `,"time":"${clock.now().toISOString()}"`,
    },
    { write: (line) => entries.push(JSON.parse(line) as LogEntry) },
  );
}
