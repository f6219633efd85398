import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';
import { WebSocket } from 'ws';
import type { Memory, Work } from '../support/messages.ts';

// Loaded into the server by `--import`: replies to `work` and to `memory`.

const SAMPLE_MS = 5;
const COLLECTIONS = 4;
/** More than the probe and the flood keep open. */
const MANY_SOCKETS = 20;
const WAIT_MS = 100;
const MOST_WAITS = 120;

const counts = { frames: 0, mostFrames: 0, longestParsed: 0, mostBufferBytes: 0 };

function countFrames(): void {
  const { emit } = WebSocket.prototype;
  WebSocket.prototype.emit = function (event: string, ...values: unknown[]) {
    if (event === 'message') {
      if (counts.frames++ === 0)
        setImmediate(() => {
          counts.frames = 0;
        });
      counts.mostFrames = Math.max(counts.mostFrames, counts.frames);
    }
    return Reflect.apply(emit, this, [event, ...values]);
  };
}

function watchParsing(): void {
  const { parse } = JSON;
  JSON.parse = (text, reviver) => {
    if (text.length > counts.longestParsed) counts.longestParsed = text.length;
    return parse(text, reviver);
  };
}

let isSampling = false;

/** From when its work is first asked for: what others wait for is measured without. */
function sampleBuffers(): void {
  if (isSampling) return;
  isSampling = true;
  setInterval(() => {
    counts.mostBufferBytes = Math.max(counts.mostBufferBytes, process.memoryUsage().arrayBuffers);
  }, SAMPLE_MS).unref();
}

/** Until what is left of refused connections has been dropped. */
async function settle(): Promise<void> {
  const sockets = (): number => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
  for (let i = 0; i < MOST_WAITS && sockets() > MANY_SOCKETS; i++)
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
}

async function memory(): Promise<Memory> {
  await settle();
  for (let i = 0; i < COLLECTIONS; i++) {
    gc!();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  const peakRssBytes = process.resourceUsage().maxRSS * 1_024;
  return { heapAndExternalBytes: heapUsed + external, rssBytes: rss, peakRssBytes };
}

if (isMainThread && process.send) {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  countFrames();
  watchParsing();
  let cpu = process.threadCpuUsage();
  process.on('message', async (message) => {
    if (message === 'memory') process.send!(await memory());
    if (message !== 'work') return;
    sampleBuffers();
    const { user, system } = process.threadCpuUsage(cpu);
    const { mostFrames: mostFramesATurn, longestParsed, mostBufferBytes } = counts;
    const longestTurnMs = delays.max / 1e6;
    process.send!({
      mainMs: (user + system) / 1e3,
      longestTurnMs,
      mostFramesATurn,
      longestParsed,
      mostBufferBytes,
    } satisfies Work);
    Object.assign(counts, { mostFrames: 0, longestParsed: 0, mostBufferBytes: 0 });
    delays.reset();
    cpu = process.threadCpuUsage();
  });
}
