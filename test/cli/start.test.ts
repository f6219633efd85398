import { execFile } from 'node:child_process';
import { connect } from 'node:net';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { Command, run } from '../support/command.ts';
import { withFolder } from '../support/folder.ts';

const shell = promisify(execFile);

async function started(folder: string, args: readonly string[] = [], environment = {}) {
  const command = new Command('scripts/start.ts', args, {
    PORT: '0',
    DATA_DIR: folder,
    LOG_LEVEL: 'error',
    ...environment,
  });
  const output = await command.output(/npm run generate/);
  const base = /served at (\S+)/.exec(output)![1]!;
  return { command, output, base, curls: output.split('\n').filter((line) => line.startsWith('  curl')) };
}

// biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
const json = async (reply: Response): Promise<any> => reply.json();

/** Runs a line as it was printed; the status, and the body as JSON. */
// biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
async function paste(line: string): Promise<{ status: number; body: any }> {
  const { stdout } = await shell('sh', ['-c', `${line} -s -w '\\n%{http_code}'`]);
  const at = stdout.lastIndexOf('\n');
  return { status: Number(stdout.slice(at)), body: JSON.parse(stdout.slice(0, at)) };
}

describe('npm start', () => {
  it('fills a new database, prints lines that work when pasted, and keeps the data', () =>
    withFolder({}, async (folder) => {
      const first = await started(folder);
      expect(first.output).toContain('rows of sample data');
      expect(first.curls).toHaveLength(3);
      const replies = [];
      for (const line of first.curls) replies.push(await paste(line));
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 201]);
      expect(replies[1]!.body.data.length).toBeGreaterThan(0);
      const made = `${first.base}/products/${replies[2]!.body.id}`;
      expect(await (await fetch(made)).json()).toEqual(replies[2]!.body);
      expect(await first.command.stop()).toMatchObject({ code: 0 });

      const second = await started(folder);
      expect(second.output).not.toContain('sample data');
      const kept = made.replace(first.base, second.base);
      expect(await (await fetch(kept)).json()).toEqual(replies[2]!.body);
      await second.command.stop();
    }));

  it('serves any other contract without code, beside the shipped one', () =>
    withFolder({}, async (folder) => {
      const { command, base, curls } = await started(folder, ['--contracts', 'test/fixtures/cats']);
      const replies = [];
      for (const line of curls) replies.push(await paste(line));
      expect(replies.map(({ status }) => status)).toEqual([200, 201]);
      expect((await json(await fetch(`${base}/cats`))).data).toEqual([replies[1]!.body]);
      await command.stop();
      const shipped = await started(folder);
      expect((await fetch(`${shipped.base}/products`)).status).toBe(200);
      await shipped.command.stop();
    }));

  it('answers 501 for operations that have no handler, and serves those of --handlers', () => {
    const files = {
      'contract/openapi.yaml': `openapi: 3.1.0
info: { title: Greetings, version: 1.0.0 }
paths:
  /greeting:
    get: { operationId: greet, responses: { '200': { description: Hello., content: { application/json: { schema: { type: object, properties: { hello: { type: string } } } } } } } }
`,
      'handlers/index.ts':
        "export const handlers = { operations: { greet: () => ({ status: 200, body: { hello: 'you' } }) } };\n",
      'wrong/index.ts': 'export const handlers = { operations: { greet: () => ({}), more: () => ({}) } };\n',
    };
    return withFolder(files, async (folder) => {
      const contracts = ['--contracts', `${folder}/contract`];
      const bare = await started(folder, contracts);
      const refused = await fetch(`${bare.base}/greeting`);
      expect([refused.status, (await json(refused)).code]).toEqual([501, 'NOT_IMPLEMENTED']);
      await bare.command.stop();
      const handled = await started(folder, [...contracts, '--handlers', `${folder}/handlers`]);
      expect(await (await fetch(`${handled.base}/greeting`)).json()).toEqual({ hello: 'you' });
      await handled.command.stop();
      const environment = { PORT: '0', DATA_DIR: folder };
      const wrong = await run('scripts/start.ts', [...contracts, '--handlers', `${folder}/wrong`], environment);
      expect(wrong.code).toBe(1);
      expect(wrong.stderr).toMatch(/^Handlers for operations that are not custom: more\n$/);
    });
  });

  it('serves an ordinary document, with what has no handler closed', () =>
    withFolder({}, async (folder) => {
      const { command, base } = await started(folder, ['--contracts', 'test/fixtures/foreign/zoo']);
      for (const [method, path] of [
        ['POST', '/animal'],
        ['GET', '/animal/5'],
      ] as const) {
        const reply = await fetch(base + path, { method });
        expect([reply.status, (await json(reply)).code]).toEqual([501, 'NOT_IMPLEMENTED']);
      }
      expect((await fetch(`${base}/animal/x`)).status).toBe(400);
      await command.stop();
    }));

  it('tells faults of the caller in a line each, without a stack', () =>
    withFolder({ 'contract/openapi.yaml': 'openapi: 3.1.0\n' }, async (folder) => {
      const environment = { PORT: 'abc', LOG_LEVEL: 'loud', DATA_DIR: folder };
      const settings = await run('scripts/start.ts', [], environment);
      expect(settings.code).toBe(1);
      expect(settings.stderr).toMatch(/^PORT accepts .+\nLOG_LEVEL accepts .+\n$/);
      const contract = await run('scripts/start.ts', ['--contracts', `${folder}/contract`], { DATA_DIR: folder });
      expect(contract.code).toBe(1);
      expect(contract.stderr).toContain('openapi.yaml:1:1');
      expect(contract.stderr).not.toContain('    at ');
      const production = await run('src/main.ts', [], { NODE_ENV: 'production', DATA_DIR: folder });
      expect(production.code).toBe(1);
      expect(production.stderr).toMatch(/^JWT_JWKS_URL, JWT_PUBLIC_KEY, JWT_SECRET: .+\n$/);
    }));

  it('says that the port is taken', () =>
    withFolder({}, async (folder) => {
      const { command, base } = await started(folder, ['--contracts', 'test/fixtures/cats']);
      const environment = { PORT: new URL(base).port, DATA_DIR: folder };
      const second = await run('scripts/start.ts', ['--contracts', 'test/fixtures/cats'], environment);
      expect(second).toMatchObject({ code: 1, stderr: expect.stringMatching(/^Something already listens on .+\n$/) });
      await command.stop();
    }));

  it('refuses a database that does not fit, naming what differs', () =>
    withFolder({}, async (folder) => {
      const environment = { DATABASE_URL: `sqlite:${folder}/one.db` };
      const { command } = await started(folder, ['--contracts', 'test/fixtures/cats'], environment);
      await command.stop();
      const { DatabaseSync } = await import('node:sqlite');
      const database = new DatabaseSync(`${folder}/one.db`);
      database.exec('alter table cats add column whiskers integer');
      database.close();
      const refused = await run('scripts/start.ts', ['--contracts', 'test/fixtures/cats'], {
        ...environment,
        PORT: '0',
        DATA_DIR: folder,
      });
      expect(refused.code).toBe(1);
      expect(refused.stderr).toContain('column cats.whiskers is not in the contract');
    }));

  it('finishes running requests when it is told to stop', () =>
    withFolder({}, async (folder) => {
      const { command, base } = await started(folder, ['--contracts', 'test/fixtures/cats']);
      const { port } = new URL(base);
      const body = JSON.stringify({ name: 'Late', colour: 'BLACK' });
      const socket = connect(Number(port), '127.0.0.1');
      let reply = '';
      const closed = new Promise<void>((resolve) => {
        socket.on('data', (chunk) => {
          reply += chunk;
        });
        socket.on('close', () => resolve());
      });
      const head = `POST /v1/cats HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`;
      // The interim answer says that the server has begun with the request.
      await new Promise<void>((resolve) => socket.once('data', () => resolve()).write(head));
      const finished = command.stop();
      socket.write(body);
      await closed;
      expect(reply).toContain('HTTP/1.1 201');
      expect((await finished).code).toBe(0);
    }));

  it('loses nothing it has acknowledged when it is killed', () =>
    withFolder({}, async (folder) => {
      const { command, base } = await started(folder, ['--contracts', 'test/fixtures/cats']);
      const acknowledged: string[] = [];
      const write = async (): Promise<void> => {
        const body = JSON.stringify({ name: 'Kept', colour: 'BLACK' });
        for (;;) {
          const reply = await fetch(`${base}/cats`, {
            method: 'POST',
            body,
            headers: { 'content-type': 'application/json' },
          });
          acknowledged.push((await json(reply)).id);
          if (acknowledged.length >= 500) return void command.process.kill('SIGKILL');
        }
      };
      await Promise.allSettled(Array.from({ length: 8 }, write));
      await command.finished;
      const again = await started(folder, ['--contracts', 'test/fixtures/cats']);
      const kept = new Set<string>();
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page = await json(await fetch(`${again.base}/cats?limit=100${cursor && `&cursor=${cursor}`}`));
        for (const { id } of page.data) kept.add(id);
        cursor = page.page.nextCursor;
      }
      expect(acknowledged.filter((id) => !kept.has(id))).toEqual([]);
      await again.command.stop();
    }));
});

describe('npm run token', () => {
  it('prints a token that the server accepts, and nothing else', () =>
    withFolder({}, async (folder) => {
      const environment = { DATA_DIR: folder };
      const args = ['--sub', '019bc0de-7c00-7000-8000-000000000001', '--scope', 'orders:read'];
      const { code, stdout, stderr } = await run('scripts/token.ts', args, environment);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
      const { command, base } = await started(folder);
      const reply = await fetch(`${base}/orders`, { headers: { authorization: `Bearer ${stdout.trim()}` } });
      expect(reply.status).toBe(200);
      await command.stop();
    }));
});
