import { once } from 'node:events';
import { connect } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { databases } from '../../support/databases.ts';
import { eventually } from '../../support/eventually.ts';
import { type Service, startService, tokenOf } from '../../support/service.ts';
import { exchangeHead, exchangeRaw } from '../rest/support/raw-http.ts';

const KEY = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
const VERSION = 'Sec-WebSocket-Version: 13';
const upgrade = (path: string, ...fields: string[]) =>
  `${[`GET ${path} HTTP/1.1`, 'Host: x', 'Connection: Upgrade', 'Upgrade: websocket', ...fields].join('\r\n')}\r\n\r\n`;

// No handshake reaches a database.
describe('a WebSocket handshake', () => {
  let service: Service;
  let port: number;
  beforeAll(async () => {
    service = await startService('library', databases[0]!);
    port = await service.listen();
  });
  afterAll(() => service.close());

  const problemOf = async (text: string) => {
    const answer = (await exchangeRaw(port, text))!;
    expect(answer.headers['content-type']).toBe('application/problem+json');
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
    const problem = JSON.parse(answer.body);
    expect(problem.requestId).toBe(answer.headers['x-request-id']);
    return { ...answer, problem };
  };

  test.each([
    ['at another path', upgrade('/v1/books', KEY, VERSION), 404, 'NOT_FOUND'],
    ['without a key', upgrade('/graphql', VERSION), 400, 'MALFORMED_REQUEST'],
    ['with a key that is too short', upgrade('/graphql', 'Sec-WebSocket-Key: x', VERSION), 400, 'MALFORMED_REQUEST'],
    ['of another version', upgrade('/graphql', KEY, 'Sec-WebSocket-Version: 7'), 400, 'MALFORMED_REQUEST'],
    [
      'with a broken protocol',
      upgrade('/graphql', KEY, VERSION, 'Sec-WebSocket-Protocol: ,'),
      400,
      'MALFORMED_REQUEST',
    ],
  ])('%s gets a problem', async (_, text, status, code) => {
    const { problem, headers, ...answer } = await problemOf(text);
    expect([answer.status, problem.code, problem.status]).toEqual([status, code, status]);
    if (status === 400) expect(headers['sec-websocket-version']).toBe('13');
  });

  test('gets a problem from a server where its caller has too many sockets', async () => {
    const limited = await startService('library', databases[0]!, {}, { maxSocketsPerCaller: 2 });
    onTestFinished(() => limited.close());
    const url = `ws://127.0.0.1:${await limited.listen()}/graphql`;
    const open = () => new WebSocket(url, 'graphql-transport-ws');
    const sockets = [open(), open()];
    for (const socket of sockets) await once(socket, 'open');
    const [, refused] = await once(
      open().on('error', () => {}),
      'unexpected-response',
    );
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '1']);
    sockets[0]!.close();
    await eventually(() => once(open(), 'open'));
  });

  test('counts for the subject once that is known', async () => {
    const limited = await startService('library', databases[0]!, {}, { maxSocketsPerCaller: 2 });
    onTestFinished(() => limited.close());
    const url = `ws://127.0.0.1:${await limited.listen()}/graphql`;
    const open = async (sub?: string) => {
      const socket = new WebSocket(url, 'graphql-transport-ws');
      await once(socket, 'open');
      const payload = sub === undefined ? {} : { authorization: `Bearer ${tokenOf({ sub, scope: '' })}` };
      socket.send(JSON.stringify({ type: 'connection_init', payload }));
      return Promise.race([once(socket, 'message'), once(socket, 'close')]).then(([first]) => String(first));
    };
    const ack = JSON.stringify({ type: 'connection_ack' });
    for (const sub of ['a', 'a', 'b', 'b', undefined]) expect(await open(sub)).toBe(ack);
    expect(await open('a')).toBe('1013');
    expect(await open('c')).toBe(ack);
  });

  test.each([
    ['two tokens', 'Authorization: Bearer a', 'authorization: Bearer b'],
    ['two Hosts', 'Host: y'],
  ])('with %s is refused', async (_, ...fields) => {
    const { problem, ...answer } = await problemOf(upgrade('/graphql', KEY, VERSION, ...fields));
    expect([answer.status, problem.code]).toEqual([400, 'MALFORMED_REQUEST']);
  });

  test('gets a problem after the listener has closed', async () => {
    let app!: FastifyInstance;
    const prepareApp = (made: FastifyInstance): void => {
      app = made;
    };
    const closing = await startService('library', databases[0]!, {}, { prepareApp });
    const socket = connect(await closing.listen(), '127.0.0.1');
    const [first, rest] = upgrade('/graphql', KEY, VERSION).split(/(?<=HTTP\/1\.1\r\n)/);
    const begun = once(app.server, 'connection');
    socket.write(first!);
    const [accepted] = await begun;
    await eventually(() => expect(accepted.bytesRead).toBe(first!.length));
    app.server.close();
    socket.write(rest!);
    const answer = (await socket.setEncoding('latin1').toArray()).join('');
    expect(answer).toMatch(/^HTTP\/1\.1 503 [\s\S]*retry-after: 1\r\n[\s\S]*"code":"SERVICE_UNAVAILABLE"/);
    await closing.close();
  });

  test('that succeeds has the id of the request', async () => {
    const accepted = exchangeHead(port, upgrade('/graphql', KEY, VERSION, 'X-Request-Id: given-1234'));
    expect(await accepted).toMatch(/^HTTP\/1.1 101 [\s\S]*X-Request-Id: given-1234\r\n/);
  });
});
