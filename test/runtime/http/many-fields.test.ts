import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.ts';
import { type Service, startService } from '../../support/service.ts';
import { exchangeRaw } from '../rest/support/raw-http.ts';

const MOST = 100;

// No request here reaches a database.
describe('a request with many header fields', () => {
  let service: Service;
  let port: number;
  beforeAll(async () => {
    service = await startService('library', databases[0]!);
    port = await service.listen();
  });
  afterAll(() => service.close());

  const ask = async (line: string, count: number, ...others: string[]) => {
    const fields = Array.from({ length: count - 1 - others.length }, (_, i) => `X-${i}: 1`);
    return (await exchangeRaw(port, `${[`${line} HTTP/1.1`, 'Host: x', ...fields, ...others].join('\r\n')}\r\n\r\n`))!;
  };

  it.each(['GET /v1/authors', 'GET /graphql', 'GET /livez', 'DELETE /nowhere'])('is refused by %s', async (line) => {
    expect((await ask(line, MOST)).status).not.toBe(431);
    const { status, body } = await ask(line, MOST + 1);
    expect([status, JSON.parse(body)]).toEqual([
      431,
      expect.objectContaining({
        code: 'HEADERS_TOO_LARGE',
        detail: `The request has more than ${MOST} header fields.`,
      }),
    ]);
  });

  it('is refused whatever the last field is', async () => {
    for (const last of ['Authorization: Bearer x', 'Upgrade: websocket', 'Content-Length: 0', 'Host: y']) {
      const { status, body } = await ask('GET /graphql', 9 * MOST, last);
      expect([status, JSON.parse(body).detail]).toEqual([
        431,
        expect.stringContaining(`more than ${MOST} header fields`),
      ]);
    }
  });
});
