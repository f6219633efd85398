import { request } from 'node:http';
import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import { ownHosts } from '../../../src/runtime/http/own-hosts.ts';
import { databases } from '../../support/databases.ts';
import { startService } from '../../support/service.ts';

describe('a server that answers for names of its machine alone', () => {
  const isOwnHost = ownHosts('https://shop.test:8443');

  it.each([
    ...[
      'localhost',
      'LOCALHOST:3000',
      'api.localhost:3000',
      'localhost.',
      '127.0.0.1:3000',
      '[::1]:3000',
      '192.168.1.7',
    ],
    ...['shop.test', 'shop.test:8443', hostname()],
  ])('knows %s', (host) => expect(isOwnHost(host)).toBe(true));

  it.each(['evil.example', 'localhost.evil.example', '127.0.0.1.evil.example:3000', 'notlocalhost', ''])(
    'does not know %j',
    (host) => expect(isOwnHost(host)).toBe(false),
  );

  it('refuses other names with 403, whatever they ask for', async () => {
    const service = await startService('cats', databases[0]!, {}, { http: { isOwnHost } });
    const port = await service.listen();
    const statusOf = (path: string, headers: Readonly<Record<string, string>>): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const sent = request({ port, host: '127.0.0.1', path, headers, agent: false }, (reply) => {
          reply.resume();
          resolve(reply.statusCode);
        });
        sent.on('error', reject).end();
      });
    for (const path of ['/', '/livez', '/graphql', '/nowhere'])
      expect(await statusOf(path, { host: 'evil.example' }), path).toBe(403);
    const upgrade = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' };
    const socket = { ...upgrade, 'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==', host: 'evil.example' };
    expect(await statusOf('/graphql', socket)).toBe(403);
    expect(await statusOf('/livez', { host: 'localhost:3000' })).toBe(200);
    await service.close();
  });
});
