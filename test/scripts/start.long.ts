import { cp, readdir } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Command } from '../support/command.ts';
import { withFolder } from '../support/folder.ts';
import { GREETINGS } from './support/greetings.ts';
import { paste } from './support/paste.ts';
import { cats, started } from './support/started.ts';

const GREET = "export const handlers = { operations: { greet: () => ({ hello: 'you' }) } };\n";

describe('npm start', () => {
  it('keeps each contract in a database of its own, those of one name, too', () =>
    withFolder({}, async (folder) => {
      await cp('test/fixtures/valid/shelter', join(folder, 'cats'), { recursive: true });
      for (const args of [cats, ['--contracts', join(folder, 'cats')], []]) {
        const { command, curls } = await started(folder, args);
        expect((await paste(curls[0]!)).status).toBe(200);
        await command.stop();
      }
      const databases = (await readdir(folder)).filter((name) => name.endsWith('.db')).sort();
      expect(databases).toEqual([
        expect.stringMatching(/^cats-\w{8}\.db$/),
        expect.stringMatching(/^cats-\w{8}\.db$/),
        'lockstep.db',
      ]);
    }));

  it('serves custom operations by --handlers, with a token that has their scopes', () =>
    withFolder({ 'contract/openapi.yaml': GREETINGS, 'handlers/index.ts': GREET }, async (folder) => {
      const args = ['--contracts', `${folder}/contract`, '--handlers', `${folder}/handlers`];
      const { command, output, curls } = await started(folder, args);
      expect(output).not.toContain('answered 501');
      expect(curls).toHaveLength(1);
      expect(await paste(curls[0]!)).toEqual({ status: 200, body: { hello: 'you' } });
      await command.stop();
    }));

  it('serves an ordinary document, with what has no handler closed', () =>
    withFolder({}, async (folder) => {
      const { command, base } = await started(folder, ['--contracts', 'test/fixtures/foreign/zoo']);
      for (const [method, path] of [
        ['POST', '/animal'],
        ['GET', '/animal/5'],
      ] as const) {
        const reply = await fetch(base + path, { method });
        const { code } = (await reply.json()) as { code: string };
        expect([reply.status, code]).toEqual([501, 'NOT_IMPLEMENTED']);
      }
      expect((await fetch(`${base}/animal/x`)).status).toBe(400);
      await command.stop();
    }));

  it.each([
    ['0.0.0.0', 'http://127.0.0.1:', 'IPv4'],
    ['::', 'http://[::1]:', 'IPv6'],
  ])('prints an address that can be pasted when it listens on %s', (host, start, family) =>
    withFolder({}, async (folder) => {
      const addresses = Object.values(networkInterfaces()).flatMap((one) => one ?? []);
      if (!addresses.some((one) => one.internal && one.family === family)) return;
      const { command, base, curls } = await started(folder, cats, { HOST: host });
      expect(base.startsWith(start)).toBe(true);
      expect((await paste(curls[0]!)).status).toBe(200);
      await command.stop();
    }),
  );

  it('prints log lines alone in production, the address among them', () =>
    withFolder({}, async (folder) => {
      const settings = { NODE_ENV: 'production', PORT: '0', DATA_DIR: folder, MIGRATE_AT_BOOT: 'true' };
      const command = new Command('scripts/start.ts', cats, {
        ...settings,
        JWT_SECRET: 'long enough for HS256, 32 bytes and more',
      });
      const output = await command.output(/Server listening at (http:[^"]+)/);
      const { stdout, stderr } = await command.stop();
      expect(stderr).toBe('');
      for (const line of stdout.trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('msg');
      expect(stdout.startsWith(output)).toBe(true);
    }));

  it('prints where callers come in when a proxy stands before it', () =>
    withFolder({}, async (folder) => {
      const environment = { PUBLIC_URL: 'https://api.example.com/shop/' };
      const { command, base } = await started(folder, cats, environment);
      expect(base).toBe('https://api.example.com/shop/v1');
      await command.stop();
    }));
});
