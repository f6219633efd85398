/** The resources that a server process has used so far. */
export interface Usage {
  /** Microseconds of CPU time of all threads. */
  readonly cpuMicros: number;
  readonly rssBytes: number;
}

/** Loaded into each server by `--import`: replies to every `usage` message. */
if (process.send) {
  process.on('message', (message) => {
    if (message !== 'usage') return;
    const { user, system } = process.cpuUsage();
    process.send!({ cpuMicros: user + system, rssBytes: process.memoryUsage.rss() } satisfies Usage);
  });
  process.on('disconnect', () => process.exit());
}
