import { createStatusLine, type StatusOutput } from './status-line.ts';

/** Shows on a terminal how far a command is. */
export interface Progress {
  /** `total` is left out where it is not known. */
  report(done: number, total?: number): void;
  /** Removes the line. */
  end(): void;
}

/** How often the line changes, at most. */
const INTERVAL_MS = 100;

/** Progress in units, as `rows`. Writes nothing unless the output is a terminal. */
export function createProgress(unit: string, output: StatusOutput = process.stderr, clock = performance): Progress {
  const line = createStatusLine(output);
  let shownMs = Number.NEGATIVE_INFINITY;
  return {
    report(done, total) {
      const nowMs = clock.now();
      if (nowMs - shownMs < INTERVAL_MS) return;
      shownMs = nowMs;
      line.show(`${textOf(done, total)} ${unit}`);
    },
    end: line.end,
  };
}

function textOf(done: number, total: number | undefined): string {
  const count = done.toLocaleString('en');
  if (total === undefined || total === 0) return count;
  return `${count} of ${total.toLocaleString('en')} (${Math.floor((100 * done) / total)} %)`;
}
