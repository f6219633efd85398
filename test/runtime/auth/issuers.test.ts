import { generateKeyPairSync } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { issuerKeys } from '../../../src/runtime/auth/keys.ts';
import { authenticatorOf, CLAIMS, NOW, signWith } from './tokens.ts';

const first = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const second = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const keySetOf = ({ publicKey }: typeof first) => ({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one' }] });

let server: Server;
let origin: string;
/** What is served, by path; anything else is 404. */
let served: Record<string, unknown>;

beforeEach(async () => {
  server = createServer(({ url }, response) => {
    const body = served[url!];
    response.writeHead(body === undefined ? 404 : 200).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  served = {
    '/a/.well-known/openid-configuration': { issuer: `${origin}/a`, jwks_uri: `${origin}/keys/a` },
    '/.well-known/oauth-authorization-server/b': { issuer: `${origin}/b`, jwks_uri: `${origin}/keys/b` },
    '/keys/a': keySetOf(first),
    '/keys/b': keySetOf(second),
  };
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const bearer = (issuer: string, { privateKey } = first): string =>
  `Bearer ${signWith(privateKey, 'ES256', { ...CLAIMS, iss: issuer }, { kid: 'one' })}`;

async function trusting(...issuers: readonly string[]) {
  const authenticate = await authenticatorOf(issuerKeys(issuers), { issuers, clock: () => NOW.getTime() });
  return async (authorization: string) => authenticate(authorization);
}

const accepted = { subject: 'ada' };

describe('the keys of issuers', () => {
  it('are found by their URLs, as OpenID Connect and as OAuth publish them', async () => {
    const authenticate = await trusting(`${origin}/a`, `${origin}/b`);
    expect(await authenticate(bearer(`${origin}/a`))).toMatchObject(accepted);
    expect(await authenticate(bearer(`${origin}/b`, second))).toMatchObject(accepted);
  });

  it("verify the issuer's own tokens alone", async () => {
    const authenticate = await trusting(`${origin}/a`, `${origin}/b`);
    const untrusted = {
      code: 'UNAUTHENTICATED',
      detail: 'The token is not signed with a key that this server trusts.',
    };
    await expect(authenticate(bearer(`${origin}/b`, first))).rejects.toMatchObject(untrusted);
    await expect(authenticate(bearer(`${origin}/a`, second))).rejects.toMatchObject(untrusted);
  });

  it('are not looked for where a token says', async () => {
    const authenticate = await trusting(`${origin}/a`);
    await expect(authenticate(bearer(`${origin}/b`, second))).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
      detail: "The token's iss is not accepted.",
    });
  });

  it.each<[string, () => unknown]>([
    ['of another issuer', () => ({ issuer: `${origin}/b`, jwks_uri: `${origin}/keys/a` })],
    ['without the place of the keys', () => ({ issuer: `${origin}/a` })],
    ['with a place that others could answer for', () => ({ issuer: `${origin}/a`, jwks_uri: 'http://keys.example/a' })],
    ['that is null', () => null],
    ['that is away', () => undefined],
  ])('are SERVICE_UNAVAILABLE when the metadata is one %s', async (_, metadata) => {
    served['/a/.well-known/openid-configuration'] = metadata();
    const authenticate = await trusting(`${origin}/a`);
    await expect(authenticate(bearer(`${origin}/a`))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });
});
