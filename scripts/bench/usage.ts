/** What a server process has used so far. */
export interface Usage {
  /** Microseconds of processor time, all threads included. */
  readonly cpuMicros: number;
  readonly rssBytes: number;
}

/** Loaded into each server by `--import`: answers every message with what the process has used. */
if (process.send) {
  process.on('message', (message) => {
    if (message !== 'usage') return;
    const { user, system } = process.cpuUsage();
    process.send!({ cpuMicros: user + system, rssBytes: process.memoryUsage.rss() } satisfies Usage);
  });
  process.on('disconnect', () => process.exit());
}
