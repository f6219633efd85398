import { generateKeyPairSync } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, SignJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAuthenticator } from '../../src/runtime/auth/authenticator.ts';
import { remoteKeys } from '../../src/runtime/auth/keys.ts';
import { CLAIMS, NOW } from './tokens.ts';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const keySet = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256', use: 'sig' }] });

const bearer = async (kid: string) =>
  `Bearer ${await new SignJWT(CLAIMS).setProtectedHeader({ alg: 'ES256', kid }).sign(privateKey)}`;

let issuer: Server;
let fetches: number;
let answer: { status: number; body: string };
let url: URL;

beforeEach(async () => {
  fetches = 0;
  answer = { status: 200, body: keySet };
  issuer = createServer((_, response) => {
    fetches += 1;
    response.writeHead(answer.status).end(answer.body);
  });
  await new Promise<void>((resolve) => issuer.listen(0, '127.0.0.1', resolve));
  url = new URL(`http://127.0.0.1:${(issuer.address() as AddressInfo).port}/keys`);
});

afterEach(() => new Promise((resolve) => issuer.close(resolve)));

describe('keys of an issuer', () => {
  it('are fetched once for all tokens', async () => {
    const authenticate = createAuthenticator(remoteKeys(url), { clock: () => NOW });
    expect(await authenticate(await bearer('one'))).toMatchObject({ subject: 'ada' });
    expect(await authenticate(await bearer('one'))).toMatchObject({ subject: 'ada' });
    expect(fetches).toBe(1);
  });

  it('are fetched twice at most for 1,000 unknown kids, each UNAUTHENTICATED', async () => {
    const authenticate = createAuthenticator(remoteKeys(url), { clock: () => NOW });
    const tokens = await Promise.all(Array.from({ length: 1_000 }, (_, index) => bearer(`unknown-${index}`)));
    const outcomes = await Promise.allSettled(tokens.map(authenticate));
    const codes = outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.code);
    expect(new Set(codes)).toEqual(new Set(['UNAUTHENTICATED']));
    expect(fetches).toBeLessThanOrEqual(2);
  });

  it.each([
    ['an error', 500, keySet],
    ['a redirect', 302, ''],
    ['no JSON', 200, '<html>'],
    ['no key set', 200, '{"keys":1}'],
  ])('that answer with %s make SERVICE_UNAVAILABLE, not fetched again for each caller', async (_, status, body) => {
    answer = { status, body };
    let now = NOW;
    const authenticate = createAuthenticator(remoteKeys(url), { clock: () => now });
    const unavailable = { code: 'SERVICE_UNAVAILABLE', headers: { 'retry-after': '2' } };
    await expect(authenticate(await bearer('one'))).rejects.toMatchObject(unavailable);
    await expect(authenticate(await bearer('one'))).rejects.toMatchObject(unavailable);
    expect(fetches).toBe(1);
    answer = { status: 200, body: keySet };
    now = new Date(NOW.getTime() + 2_000);
    expect(await authenticate(await bearer('one'))).toMatchObject({ subject: 'ada' });
  });

  it('that nobody serves make SERVICE_UNAVAILABLE', async () => {
    const authenticate = createAuthenticator(remoteKeys(new URL('http://127.0.0.1:1/keys')), { clock: () => NOW });
    await expect(authenticate(await bearer('one'))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('are not fetched for an algorithm that no public key has', async () => {
    const authenticate = createAuthenticator(remoteKeys(url), { clock: () => NOW });
    const token = await new SignJWT(CLAIMS).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.alloc(32));
    await expect(authenticate(`Bearer ${token}`)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(fetches).toBe(0);
  });
});
