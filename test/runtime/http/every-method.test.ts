import { METHODS, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { handlers } from '../../../src/handlers/index.ts';
import { lazySite } from '../../../src/runtime/site/site.ts';
import type { AnyHandlers } from '../../../src/runtime/wiring.ts';
import { databases } from '../../support/databases.ts';
import { type Service, startService } from '../../support/service.ts';

const page = (path: string): [string, string] => [path, `<p>${path}</p>`];
const site = lazySite(async () => new Map([page('index.html'), page('docs/rest.html'), page('errors/index.html')]));
const id = '019bc0de-7c00-7000-8000-0000000000ff';
const READING = ['GET', 'HEAD', 'OPTIONS'];

/** Paths of every kind, with what they serve. */
const served: Readonly<Record<string, readonly string[]>> = {
  '/livez': READING,
  '/readyz': READING,
  '/graphql': [...READING, 'POST'],
  '/graphiql': READING,
  '/': READING,
  '/index.html': READING,
  '/docs/rest.html': READING,
  '/errors/NOT_FOUND': READING,
  '/errors/index.html': READING,
  '/v1/products': [...READING, 'POST'],
  [`/v1/orders/${id}`]: [...READING, 'PUT', 'PATCH', 'DELETE'],
  '/v0/products': [...READING, 'POST'],
  [`/v0/products/${id}`]: [...READING, 'PUT', 'PATCH', 'DELETE'],
};

/** GraphiQL is large: its own test renders it. */
const rendered = Object.keys(served).filter((path) => path !== '/graphiql');

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

// What is refused here never reaches a database.
describe('every method on every path that is served', () => {
  let service: Service;
  let port: number;

  beforeAll(async () => {
    const options = { site, graphql: { graphiql: true } };
    service = await startService('contracts', databases[0]!, handlers as unknown as AnyHandlers, options);
    port = await service.listen();
  });
  afterAll(() => service.close());

  const send = (method: string, path: string): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const sent = request({ port, host: '127.0.0.1', method, path, agent: false }, async (reply) => {
        const chunks = await reply.toArray();
        const headers = reply.headers as Answer['headers'];
        resolve({ status: reply.statusCode!, headers, body: Buffer.concat(chunks).toString() });
      });
      sent.on('error', reject).end();
    });

  it.each(Object.entries(served))('is served or gets 405 with Allow on %s', async (path, methods) => {
    const others = METHODS.filter((method) => method !== 'CONNECT' && !methods.includes(method));
    const answers = await Promise.all(others.map((method) => send(method, path)));
    answers.forEach(({ status, headers, body }, i) => {
      expect([status, others[i]]).toEqual([405, others[i]]);
      expect(new Set(headers['allow']!.split(', '))).toEqual(new Set(methods));
      expect(body).toContain('METHOD_NOT_ALLOWED');
    });
    expect(new Set(answers.map(({ headers }) => headers['content-type'])).size).toBe(1);
    const options = await send('OPTIONS', path);
    expect([options.status, options.headers['allow']!.split(', ').sort()]).toEqual([204, [...methods].sort()]);
  });

  it.each(rendered)('answers HEAD as GET, without a body, on %s', async (path) => {
    const [got, head] = [await send('GET', path), await send('HEAD', path)];
    expect([head.status, head.body]).toEqual([got.status, '']);
    expect(head.headers['content-type']).toBe(got.headers['content-type']);
    expect(head.headers['content-length']).toBe(got.headers['content-length']);
  });

  it('has an id, and is never guessed to be of another type', async () => {
    for (const path of [...rendered, '/nothing', '/v1/%zz', `/${'a'.repeat(9_000)}`]) {
      for (const method of ['GET', 'POST', 'OPTIONS', 'PROPFIND']) {
        const { headers, body } = await send(method, path);
        expect(headers['x-content-type-options'], `${method} ${path}`).toBe('nosniff');
        expect(headers['x-request-id']).toMatch(/^[\da-f]{32}$/);
        if (body.includes('requestId')) expect(body).toContain(`"requestId":"${headers['x-request-id']}"`);
      }
    }
  });
});
