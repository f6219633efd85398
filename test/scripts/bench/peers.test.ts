import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LoadConnection } from '../../../scripts/bench/connection.ts';
import { askingBy, checkPeer, peerOf, peerProcess, peerRequestsIn } from '../../../scripts/bench/peers.ts';
import { formatTable } from '../../../scripts/bench/report.ts';
import { usageOfPort } from '../../../scripts/bench/usage-of-port.ts';
import { endedByTests } from '../../support/clean-up.ts';
import { run } from '../../support/command.ts';
import { withFolder } from '../../support/folder.ts';

const material = { base: '/v1', products: [{ id: 'mug', version: 1 }], token: '' };

async function serving(answer: RequestListener): Promise<number> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  endedByTests(() => server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

describe('a peer of the benchmark', () => {
  it('is asked as its file says, below the path of its address', () => {
    const url = new URL('http://127.0.0.1:4000/api/');
    expect(askingBy({ path: '/products/{id}', headers: { 'X-Key': 'a' } }, url).request(material, 1)).toBe(
      'GET /api/products/mug HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\nX-Key: a\r\n\r\n',
    );
    const body = { query: '{ product(id: "{id}") { id } }' };
    const sent = askingBy({ path: '/graphql', body }, url).request(material, 1);
    expect(sent).toMatch(/^POST \/api\/graphql HTTP/);
    expect(sent).toContain(JSON.stringify(body).replace('{id}', 'mug'));
  });

  it('has to answer as its file says, also in chunks', async () => {
    const port = await serving((request, reply) => {
      reply.statusCode = request.url === '/products/mug' ? 200 : 404;
      reply.write('{"id":');
      setImmediate(() => reply.end('"mug"}'));
    });
    const peer = peerOf(`other=http://127.0.0.1:${port}`)[0]!;
    const check = (path: string, contains: string) =>
      checkPeer(peerProcess(peer), { name: 'get one', ...askingBy({ path, contains }, peer.url) }, material);
    await check('/products/{id}', '"mug"');
    await expect(check('/products/{id}', '"jug"')).rejects.toThrow('other, get one: HTTP/1.1 200 OK');
    await expect(check('/others/{id}', '"mug"')).rejects.toThrow('404');
    const connection = await LoadConnection.open(port);
    const request = askingBy({ path: '/products/{id}' }, peer.url).request(material, 0);
    for (let i = 0; i < 2; i++) expect((await connection.send(request)).body).toContain('"mug"');
    connection.close();
  });

  it('has an address, and a file of what the benchmark has', async () => {
    for (const text of ['http://127.0.0.1:1', 'other=127.0.0.1', 'other='])
      expect(() => peerOf(text)).toThrow('such as');
    await withFolder({ 'a.json': '{"other":{"get two":{"path":"/"}}}', 'b.json': '{"another":{}}' }, async (folder) => {
      const peers = peerOf('other=http://127.0.0.1:1');
      expect(peerRequestsIn('scripts/bench/peers.example.json', peers)).toHaveProperty('other');
      expect(() => peerRequestsIn(join(folder, 'a.json'), peers)).toThrow('get two, which is no scenario');
      expect(() => peerRequestsIn(join(folder, 'b.json'), peers)).toThrow('no --peer another');
    });
    const { code, stderr } = await run('scripts/bench.ts', ['--peer', 'other=http://127.0.0.1:1']);
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('belong together') });
  });

  it.runIf(process.platform === 'linux')('is measured by the process that listens on its port', async () => {
    const { cpuMicros, rssBytes } = usageOfPort(await serving(() => {}));
    expect(cpuMicros).toBeGreaterThan(0);
    expect(rssBytes).toBeGreaterThan(2 ** 20);
  });

  it('has no figures for CPU and memory where nobody knows them', () => {
    const measured = { scenario: 'get one', requestsPerSecond: 10, p50: 1, p99: 2 };
    const own = { ...measured, server: 'lockstep', cpuMicros: 1, rssBytes: 2 ** 20 };
    const peer = { ...measured, server: 'other', ...usageOfPort(1) };
    const [, , row] = formatTable([own, peer], ['lockstep']).split('\n');
    expect(row!.split(/ {2,}/).slice(5)).toEqual(['–', '–', '1.00', '–']);
  });
});
