import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.ts';
import { librarian } from '../../support/library.ts';
import { type Service, startService, tokenOf } from '../../support/service.ts';
import { exchangeRaw } from '../rest/support/raw-http.ts';

// No request here reaches a database.
describe('a second Authorization field', () => {
  let service: Service;
  let port: number;
  let field: string;
  beforeAll(async () => {
    service = await startService('library', databases[0]!);
    port = await service.listen();
    field = `Bearer ${tokenOf(librarian)}`;
  });
  afterAll(() => service.close());

  const ask = async (line: string, ...fields: string[]) => {
    const head = [`${line} HTTP/1.1`, 'Host: x', ...fields, 'Content-Length: 2', 'Content-Type: application/json'];
    const answer = (await exchangeRaw(port, `${head.join('\r\n')}\r\n\r\n{}`))!;
    return [answer.status, /The request has more than one Authorization field/.test(answer.body)];
  };
  const refused = [400, true];

  it.each(['GET /v1/authors', 'POST /v1/authors', 'POST /graphql', 'GET /livez', 'GET /nowhere', 'DELETE /v1/authors'])(
    'is refused by %s, whatever the two say',
    async (line) => {
      const valid = `Authorization: ${field}`;
      for (const other of [valid, `AUTHORIZATION: ${field}`, 'authorization: Bearer x', 'Authorization:']) {
        expect(await ask(line, valid, other)).toEqual(refused);
        expect(await ask(line, other, 'Accept: */*', valid)).toEqual(refused);
      }
      expect(await ask(line, valid)).toEqual([expect.any(Number), false]);
    },
  );
});
