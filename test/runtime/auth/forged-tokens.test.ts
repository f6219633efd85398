import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { secretKeys } from '../../../src/runtime/auth/keys.ts';
import { databases } from '../../support/databases.ts';
import { offeringAll } from '../../support/offering.ts';
import { type Service, startCompiled } from '../../support/service.ts';
import { callOf } from '../../support/tools.ts';
import { forgeries, valid } from './forged-tokens.ts';
import { AUDIENCE, ISSUER, NOW, SECRET } from './tokens.ts';

const authentication = { keys: secretKeys(SECRET), issuers: [ISSUER], audience: AUDIENCE, clock: () => NOW.getTime() };
const CHALLENGE = 'Bearer realm="api", error="invalid_token"';

describe('a forged or malformed token', () => {
  let service: Service;
  let port: number;
  beforeAll(async () => {
    service = await startCompiled(await offeringAll('library'), databases[0]!, {}, { authentication });
    port = await service.listen();
  });
  afterAll(() => service.close());

  const overRest = (authorization: string) =>
    service.request('POST', '/v1/authors', { body: {}, headers: { authorization } });
  const overGraphql = (authorization: string) =>
    service.graphql('mutation { deleteAuthor(id: "x") }', { headers: { authorization } });

  const overMcp = (authorization: string, message: object) =>
    service.request('POST', '/mcp', { body: message, headers: { authorization } });
  const tool = callOf('createAuthor', { input: {} });

  /** `connection_ack`, or the code that the socket is closed with. */
  const overWebSocket = (authorization: string) =>
    new Promise<unknown>((resolve, reject) => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}/graphql`, 'graphql-transport-ws');
      socket.on('open', () => socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization } })));
      socket.on('message', (data) => {
        resolve(JSON.parse(String(data)).type);
        socket.close();
      });
      socket.on('close', resolve);
      socket.on('error', reject);
    });

  it('differs from one that is accepted', async () => {
    const authorization = `Bearer ${valid}`;
    expect((await overRest(authorization)).status).toBe(403);
    expect((await overGraphql(authorization)).errors![0]!.extensions.code).toBe('FORBIDDEN');
    expect(await overWebSocket(authorization)).toBe('connection_ack');
    expect((await overMcp(authorization, tool)).status).toBe(403);
  });

  it.each(forgeries)('is refused alike over each protocol: %s', async (_, authorization) => {
    const rest = await overRest(authorization);
    expect(rest.body).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' });
    expect(rest.headers).toMatchObject({ 'www-authenticate': CHALLENGE });
    const graphql = await overGraphql(authorization);
    expect(graphql.errors).toMatchObject([{ message: rest.body.detail, extensions: { code: 'UNAUTHENTICATED' } }]);
    expect(await overWebSocket(authorization)).toBe(4403);
    for (const message of [tool, { jsonrpc: '2.0', id: 1, method: 'tools/list' }]) {
      const refused = await overMcp(authorization, message);
      expect(refused).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED', detail: rest.body.detail } });
      expect(refused.headers).toMatchObject({ 'www-authenticate': CHALLENGE });
    }
  });
});
