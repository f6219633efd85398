import type { FastifyBaseLogger } from 'fastify';
import { type Observer, whenDone } from './observer.ts';

/** Logs each statement, and each transaction, that takes at least this long. */
export function slowStatements(log: Pick<FastifyBaseLogger, 'warn'>, thresholdMs: number): Observer {
  return {
    observe: ({ kind, action, subject }, work, isFailure) => {
      if (kind !== 'statement') return work();
      const startedMs = performance.now();
      const report = (): void => {
        const durationMs = Math.round(performance.now() - startedMs);
        if (durationMs >= thresholdMs) log.warn({ action, resource: subject, durationMs }, 'slow statement');
      };
      return whenDone(work, report, isFailure);
    },
  };
}
