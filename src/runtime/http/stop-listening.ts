import type { Server } from 'node:http';
import { Server as Listener } from 'node:net';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';

/** A turn in which so little has happened that hardly anybody can have connected since it began (milliseconds). */
const QUIET_MS = 0.1;
/** How long to wait for either (milliseconds). */
const MAX_WAIT_MS = 2_000;

/** A time without a new connection after which callers have gone elsewhere (milliseconds). */
const LEFT_MS = 100;

/** How long callers who have connected before the end may take to send their request (milliseconds). */
const GRACE_MS = 500;

/**
 * Closes the listener when nobody has connected for a while or, if callers go on connecting, at the end of a quiet turn of the
 * event loop: the operating system resets connections that wait to be accepted when it closes. Whoever has just connected may
 * still send a request: an HTTP server that closes would end such connections at once. `ended` of the result resolves once all connections have ended.
 */
export async function stopListening(server: Server): Promise<{ readonly ended: Promise<void> }> {
  let connected = 0;
  let lastMs = performance.now();
  const onConnection = (): void => {
    connected++;
    lastMs = performance.now();
  };
  server.on('connection', onConnection);
  await callersGone(() => lastMs);
  await quietTurn(() => connected);
  server.off('connection', onConnection);
  const ended = new Promise<void>((resolve) => Listener.prototype.close.call(server, () => resolve()));
  await delay(GRACE_MS);
  return { ended };
}

/** A balancer that knows of the end sends nobody any more: nothing can be lost then. */
async function callersGone(lastConnectedMs: () => number): Promise<void> {
  const untilMs = performance.now() + MAX_WAIT_MS;
  for (let nowMs = performance.now(); nowMs < untilMs; nowMs = performance.now()) {
    const waitMs = Math.min(lastConnectedMs() + LEFT_MS, untilMs) - nowMs;
    if (waitMs <= 0) return;
    await delay(waitMs);
  }
}

async function quietTurn(countConnected: () => number): Promise<void> {
  const untilMs = performance.now() + MAX_WAIT_MS;
  for (let begunMs = performance.now(); begunMs < untilMs; ) {
    const before = countConnected();
    await nextTurn();
    const nowMs = performance.now();
    if (countConnected() === before && nowMs - begunMs < QUIET_MS) return;
    begunMs = nowMs;
  }
}
