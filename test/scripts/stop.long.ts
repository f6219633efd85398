import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { withFolder } from '../support/folder.ts';
import { Instance } from '../support/instance.ts';
import { cats, started } from './support/started.ts';

const CAT = JSON.stringify({ name: 'Late', colour: 'BLACK' });
const HEAD = `POST /v1/cats HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${CAT.length}\r\nExpect: 100-continue\r\n\r\n`;

/** A request whose body is still to come. The interim answer says that the server has begun with it. */
async function begun(base: string): Promise<Socket> {
  const socket = connect(Number(new URL(base).port), '127.0.0.1');
  socket.write(HEAD);
  await once(socket, 'data');
  return socket;
}

/** Creates a cat; its id, once that is acknowledged. */
async function create(base: string): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const reply = await fetch(`${base}/cats`, { method: 'POST', body: CAT, headers });
  return ((await reply.json()) as { id: string }).id;
}

async function allIds(base: string): Promise<Set<string>> {
  const ids = new Set<string>();
  for (let cursor: string | null = ''; cursor !== null; ) {
    const reply = await fetch(`${base}/cats?limit=100${cursor && `&cursor=${cursor}`}`);
    const { data, page } = (await reply.json()) as { data: { id: string }[]; page: { nextCursor: string | null } };
    for (const { id } of data) ids.add(id);
    cursor = page.nextCursor;
  }
  return ids;
}

/** Not by `expect(…).rejects`: of tests side by side, Vitest would count what fails at first as another's. */
const isRefused = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => false,
    () => true,
  );

describe.concurrent('the server', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('finishes running requests on %s, and exits with 0', (signal) =>
    withFolder({}, async (folder) => {
      const { command, base } = await started(folder, cats);
      const socket = await begun(base);
      let reply = '';
      socket.on('data', (chunk) => {
        reply += chunk;
      });
      const finished = command.stop(signal);
      socket.write(CAT);
      await once(socket, 'close');
      expect(reply).toContain('HTTP/1.1 201');
      expect((await finished).code).toBe(0);
    }),
  );

  it('serves as before while only /readyz tells', () =>
    withFolder({}, async (folder) => {
      const { command, base } = await started(folder, cats, { SHUTDOWN_DELAY_MS: '600000' });
      const { origin } = new URL(base);
      const finished = command.stop();
      await eventually(async () => expect((await fetch(`${origin}/readyz`)).status).toBe(503));
      const served = await fetch(`${base}/cats`);
      expect([served.status, served.headers.get('connection')]).toEqual([200, 'close']);
      expect((await fetch(`${origin}/livez`)).status).toBe(200);
      expect(await create(base)).toMatch(/^[\da-f-]{36}$/);
      command.process.kill('SIGKILL');
      expect((await finished).code).toBe(null);
    }));

  it('then refuses what open connections bring, and finishes what they have begun', () =>
    withFolder({}, async (folder) => {
      const { command, base } = await started(folder, cats, { SHUTDOWN_DELAY_MS: '1', SHUTDOWN_TIMEOUT_MS: '600000' });
      const socket = await begun(base);
      let reply = '';
      socket.on('data', (chunk) => {
        reply += chunk;
      });
      const finished = command.stop();
      await eventually(async () => expect(await isRefused(`${base}/cats`)).toBe(true));
      socket.write(`${CAT}GET /v1/cats HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      await once(socket, 'close');
      expect(reply).toContain('HTTP/1.1 201');
      expect((await finished).code).toBe(0);
    }));

  it('does not wait longer than SHUTDOWN_TIMEOUT_MS', () =>
    withFolder({}, async (folder) => {
      const { command, base } = await started(folder, cats, { SHUTDOWN_TIMEOUT_MS: '100' });
      const socket = await begun(base);
      socket.on('error', () => undefined);
      const { code, stdout } = await command.stop();
      expect(code).toBe(1);
      expect(stdout).toContain('killed by timeout (100ms)');
    }));

  it('starts beside others on one file', () =>
    withFolder({}, async (folder) => {
      const instances = await Promise.all([1, 2, 3, 4].map(() => Instance.start({ DATA_DIR: folder })));
      const replies = await Promise.all(instances.map(({ base }) => fetch(`${base}/products`)));
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      await Promise.all(instances.map((instance) => instance.end('SIGTERM')));
    }));

  it('loses nothing it has acknowledged when it is killed', () =>
    withFolder({}, async (folder) => {
      const { command, base } = await started(folder, cats);
      const acknowledged: string[] = [];
      const createOn = async (): Promise<void> => {
        for (;;) {
          acknowledged.push(await create(base));
          if (acknowledged.length >= 500) return void command.process.kill('SIGKILL');
        }
      };
      await Promise.allSettled(Array.from({ length: 8 }, createOn));
      await command.finished;
      const again = await started(folder, cats);
      const kept = await allIds(again.base);
      expect(acknowledged.length).toBeGreaterThanOrEqual(500);
      expect(acknowledged.filter((id) => !kept.has(id))).toEqual([]);
      await again.command.stop();
    }));
});
