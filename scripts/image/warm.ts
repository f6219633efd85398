import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../../src/tools/scratch/free-port.ts';

const POLL_MS = 20;

/**
 * Starts the server of an image on an empty database, asks for the paths, and ends it: Node writes what it has compiled into
 * the image's cache. Rejects if the server does not start.
 */
export async function warm(folder: string, paths: readonly string[]): Promise<void> {
  const data = await mkdtemp(join(tmpdir(), 'lockstep-image-'));
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const server = spawn(process.execPath, [join(folder, 'main.js')], {
    cwd: data,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
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
  try {
    while (!(await isReady(origin))) {
      if (server.exitCode !== null) throw new Error('The bundled server does not start.');
      await delay(POLL_MS);
    }
    for (const path of paths) await (await fetch(origin + path)).text();
    const document = JSON.stringify({ query: '{ __typename }' });
    const headers = { 'content-type': 'application/json' };
    await (await fetch(`${origin}/graphql`, { method: 'POST', headers, body: document })).text();
  } finally {
    server.kill('SIGTERM');
    await ended;
    await rm(data, { recursive: true });
  }
}

const isReady = (origin: string): Promise<boolean> =>
  fetch(`${origin}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
