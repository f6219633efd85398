import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { warm } from '../../../scripts/image/warm.ts';
import { withFolder } from '../../support/folder.ts';

afterEach(() => vi.unstubAllEnvs());

it.each([
  ['exits', 'process.exit(3)', '3'],
  ['is ended by a signal', "process.kill(process.pid, 'SIGKILL')", 'SIGKILL'],
])('a server that %s before it is ready is named', (_, text, how) =>
  withFolder({ 'main.js': text }, async (folder) => {
    await expect(warm(folder, [])).rejects.toThrow(`The bundled server ended before it was ready (${how}).`);
  }),
);

it.each([
  ['does not listen', ''],
  ['never answers', "require('node:http').createServer(() => {}).listen(process.env.PORT);"],
])('a server that %s is ended, even if it ignores SIGTERM', (_, text) =>
  withFolder({ 'main.js': `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); ${text}` }, async (folder) => {
    await expect(warm(folder, [], 500)).rejects.toThrow('The bundled server was not ready after 0.5 s.');
  }),
);

it("handlers find the caller's environment, and the server none of its settings", () =>
  withFolder(
    {
      'main.js': `require('node:fs').writeFileSync(__dirname + '/environment', JSON.stringify(process.env)); process.exit(1);`,
    },
    async (folder) => {
      vi.stubEnv('SHOP_API_KEY', 'abc');
      vi.stubEnv('DATABASE_URL', 'postgres://production/shop');
      vi.stubEnv('NODE_ENV', 'development');
      vi.stubEnv('NODE_COMPILE_CACHE', '/elsewhere');
      await expect(warm(folder, [])).rejects.toThrow();
      const environment = JSON.parse(await readFile(join(folder, 'environment'), 'utf8'));
      expect(environment).toMatchObject({ SHOP_API_KEY: 'abc', NODE_ENV: 'production' });
      expect(environment).not.toHaveProperty('DATABASE_URL');
      expect(environment).not.toHaveProperty('NODE_COMPILE_CACHE');
    },
  ));
