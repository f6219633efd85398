import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Loaded into a server by `--import`: replies to every `turns` message with the longest turn since the last one. */
export interface Turns {
  /** Milliseconds. */
  readonly longestMs: number;
}

const RESOLUTION_MS = 1;

if (process.send) {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  process.on('message', (message) => {
    if (message !== 'turns') return;
    process.send!({ longestMs: delays.max / 1e6 } satisfies Turns);
    delays.reset();
  });
}
