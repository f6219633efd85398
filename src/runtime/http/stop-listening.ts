import type { Server } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** A turn in which so little has happened that hardly anybody can have connected since it began (milliseconds). */
const QUIET_MS = 0.1;
/** How long to wait for such a turn (milliseconds). */
const MAX_WAIT_MS = 2_000;

/**
 * Closes the listener at the end of a quiet turn of the event loop: the operating system resets connections that wait to be
 * accepted when it closes. `ended` of the result resolves once all connections have ended.
 */
export async function stopListening(server: Server): Promise<{ readonly ended: Promise<void> }> {
  let connected = 0;
  const onConnection = (): void => {
    connected++;
  };
  server.on('connection', onConnection);
  await quietTurn(() => connected);
  server.off('connection', onConnection);
  const ended = new Promise<void>((resolve) => server.close(() => resolve()));
  return { ended };
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
