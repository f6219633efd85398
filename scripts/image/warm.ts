import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { settings } from '../../src/runtime/settings/index.ts';
import { CommandFailure } from '../../src/tools/command-failure.ts';
import { freePort } from '../../src/tools/free-port.ts';

const POLL_MS = 20;
const READY_WITHIN_MS = 60_000;

/**
 * Starts the server of an image on an empty database, asks for the paths, and ends it: Node writes what it has compiled into
 * the image's cache. Rejects if the server does not start in time. Handlers find the caller's environment.
 */
export async function warm(folder: string, paths: readonly string[], readyWithinMs = READY_WITHIN_MS): Promise<void> {
  const data = await mkdtemp(join(tmpdir(), 'lockstep-image-'));
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const server = spawn(process.execPath, [join(folder, 'main.js')], {
    cwd: data,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...environmentOfHandlers(),
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: String(port),
      DATA_DIR: data,
      LOG_LEVEL: 'fatal',
      JWT_SECRET: randomBytes(32).toString('hex'),
      SHUTDOWN_DELAY_MS: '0',
      MIGRATE_AT_BOOT: 'true',
    },
  });
  const ended = once(server, 'exit');
  // A server that hangs may not heed another one.
  let signal: NodeJS.Signals = 'SIGKILL';
  try {
    const limit = AbortSignal.timeout(readyWithinMs);
    while (!(await isReady(origin, limit))) {
      const how = server.exitCode ?? server.signalCode;
      if (how !== null) throw new CommandFailure(`The bundled server ended before it was ready (${how}).`);
      if (limit.aborted) throw new CommandFailure(`The bundled server was not ready after ${readyWithinMs / 1000} s.`);
      await delay(POLL_MS);
    }
    signal = 'SIGTERM';
    for (const path of paths) await (await fetch(origin + path)).text();
    const document = JSON.stringify({ query: '{ __typename }' });
    const headers = { 'content-type': 'application/json' };
    await (await fetch(`${origin}/graphql`, { method: 'POST', headers, body: document })).text();
  } finally {
    server.kill(signal);
    await ended;
    await rm(data, { recursive: true });
  }
}

/** What handlers may need when they are loaded; never the settings of a server, which name databases, nor what Node's cache heeds. */
function environmentOfHandlers(): NodeJS.ProcessEnv {
  const own = new Set(Object.values(settings).map(({ variable }) => variable));
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !(own.has(name) || name.startsWith('NODE_'))),
  );
}

const isReady = (origin: string, signal: AbortSignal): Promise<boolean> =>
  fetch(`${origin}/readyz`, { signal }).then(
    ({ ok }) => ok,
    () => false,
  );
