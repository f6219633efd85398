/** Loaded into a server by `--import`: replies to every `sockets` message with what connections cost it. */
export interface OpenSockets {
  readonly open: number;
  readonly rssBytes: number;
}

if (process.send) {
  process.on('message', (message) => {
    if (message !== 'sockets') return;
    const open = process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length;
    process.send!({ open, rssBytes: process.memoryUsage.rss() } satisfies OpenSockets);
  });
}
