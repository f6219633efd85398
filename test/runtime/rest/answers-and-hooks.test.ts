import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.ts';
import { type Service, startService, tokenOf } from '../../support/service.ts';

// What is answered, and how, does not depend on the database.
const [database] = databases as [(typeof databases)[number]];
const AUTHOR = '01920000-0000-7000-8000-000000000001';
const token = tokenOf({ sub: 'ada', scope: 'library:write' });
const body = JSON.stringify({ name: 'Zoë', born: null });
const overGraphql = (query: string, accept = 'application/json'): string => {
  const text = JSON.stringify({ query });
  return `POST /graphql|Accept: ${accept}|Content-Type: application/json|Content-Length: ${Buffer.byteLength(text)}||${text}`;
};

const REQUESTS: Readonly<Record<string, readonly [status: number, request: string]>> = {
  'a create': [
    201,
    `POST /v1/authors|Content-Type: application/json|Content-Length: ${Buffer.byteLength(body)}||${body}`,
  ],
  'a get': [200, `GET /v1/authors/${AUTHOR}`],
  'a HEAD': [200, `HEAD /v1/authors/${AUTHOR}`],
  'a get of what the caller has': [304, `GET /v1/authors/${AUTHOR}|If-None-Match: *`],
  'a list': [200, 'GET /v1/authors?limit=1'],
  'a get with a fault': [400, 'GET /v1/authors/x'],
  'a get of nothing': [404, `GET /v1/authors/${AUTHOR.replace('1', '2')}`],
  'a query': [200, overGraphql(`{ author(id: "${AUTHOR}") { name } }`)],
  'a query that its schema does not have': [400, overGraphql('{ x }', 'application/graphql-response+json')],
  'a query that is not JSON': [400, 'POST /graphql|Content-Type: application/json|Content-Length: 1||{'],
  'a mutation': [200, overGraphql(`mutation { updateAuthor(id: "${AUTHOR}", input: { name: "Zoë" }) { version } }`)],
  'a delete': [204, `DELETE /v1/authors/${AUTHOR}`],
};

describe.each([undefined, 100])(
  'with %s requests a minute, an app with hooks and one without answer alike',
  (limit) => {
    const services: Service[] = [];
    const ports: number[] = [];

    beforeAll(async () => {
      for (const prepareApp of [undefined, () => {}]) {
        const options = { newId: () => AUTHOR, ...(limit && { requestsPerMinute: limit }), prepareApp };
        const service = await startService('library', database, {}, options);
        services.push(service);
        ports.push(await service.listen());
      }
    });
    afterAll(() => Promise.all(services.map((service) => service.close())));

    it.each(Object.entries(REQUESTS))('%s', async (_, [status, request]) => {
      const [direct, hooked] = await Promise.all(ports.map((port) => answerTo(port, request)));
      expect(direct).toContain(`HTTP/1.1 ${status} `);
      expect(direct!.includes('\r\nratelimit: ')).toBe(limit !== undefined);
      expect(direct).toBe(hooked);
    });
  },
);

/** All that comes over the wire, but for the time of it. */
async function answerTo(port: number, request: string): Promise<string> {
  const [line, ...rest] = request.split('|');
  const head = [`${line} HTTP/1.1`, 'Host: x', 'Connection: close', 'X-Request-Id: 12345678'];
  const fields = [...head, `Authorization: Bearer ${token}`, ...rest].join('\r\n');
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  socket.write(rest.includes('') ? fields : `${fields}\r\n\r\n`);
  return (await socket.toArray()).join('').replace(/^Date: .*$/m, '');
}
