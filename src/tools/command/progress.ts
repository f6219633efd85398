/** Shows on a terminal how far a command is, on one line that is overwritten. */
export interface Progress {
  /** `total` is left out where it is not known. */
  report(done: number, total?: number): void;
  /** Removes the line. */
  end(): void;
}

/** Where progress is shown: a terminal, or something that is none. */
export interface ProgressOutput {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** How often the line changes, at most. */
const INTERVAL_MS = 100;
const ERASE_LINE = '\r\u001B[2K';

/** Progress in units, as `rows`. Writes nothing unless the output is a terminal. */
export function createProgress(unit: string, output: ProgressOutput = process.stderr, clock = performance): Progress {
  if (!output.isTTY) return { report: () => undefined, end: () => undefined };
  let shownMs = Number.NEGATIVE_INFINITY;
  return {
    report(done, total) {
      const nowMs = clock.now();
      if (nowMs - shownMs < INTERVAL_MS) return;
      shownMs = nowMs;
      output.write(`${ERASE_LINE}${textOf(done, total)} ${unit}`);
    },
    end: () => void output.write(ERASE_LINE),
  };
}

function textOf(done: number, total: number | undefined): string {
  const count = done.toLocaleString('en');
  if (total === undefined || total === 0) return count;
  return `${count} of ${total.toLocaleString('en')} (${Math.floor((100 * done) / total)} %)`;
}
