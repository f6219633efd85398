import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { remoteKeys } from '../../../src/runtime/auth/keys.ts';
import { authenticatorOf, CLAIMS, forge, NOW, nowSeconds, type PublicAlgorithm, signWith } from './tokens.ts';

const MINUTE_MS = 60_000;

const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const otherEc = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const edwards = generateKeyPairSync('ed25519');

const jwk = (key: KeyObject, kid?: string, more: object = {}) => ({
  ...key.export({ format: 'jwk' }),
  ...(kid !== undefined && { kid }),
  use: 'sig',
  ...more,
});
const setOf = (...keys: readonly unknown[]) => JSON.stringify({ keys });
const keySet = setOf(jwk(ec.publicKey, 'one', { alg: 'ES256' }));

const claims = { ...CLAIMS, exp: nowSeconds + 24 * 3_600 };
let tokens = 0;

/** A token that nobody has seen. */
function bearer(kid: string | undefined, { privateKey } = ec, alg: PublicAlgorithm = 'ES256'): string {
  tokens += 1;
  return `Bearer ${signWith(privateKey, alg, { ...claims, jti: String(tokens) }, kid === undefined ? {} : { kid })}`;
}

let issuer: Server;
let fetches: number;
let answer: { status: number; body: string };
let url: URL;
let now: Date;

beforeEach(async () => {
  fetches = 0;
  answer = { status: 200, body: keySet };
  now = NOW;
  issuer = createServer((_, response) => {
    fetches += 1;
    if (answer.status > 0) response.writeHead(answer.status).end(answer.body);
  });
  await new Promise<void>((resolve) => issuer.listen(0, '127.0.0.1', resolve));
  url = new URL(`http://127.0.0.1:${(issuer.address() as AddressInfo).port}/keys`);
});

afterEach(async () => {
  issuer.closeAllConnections();
  await new Promise((resolve) => issuer.close(resolve));
});

/** Gives what a caller would get: anything that is thrown at once is a rejection here. */
async function server(at = url) {
  const authenticate = await authenticatorOf(remoteKeys(at), { clock: () => now.getTime() });
  return async (authorization: string) => authenticate(authorization);
}

const later = (ms: number): void => {
  now = new Date(now.getTime() + ms);
};
const accepted = { subject: 'ada' };
const refused = { code: 'UNAUTHENTICATED' };
const unavailable = { code: 'SERVICE_UNAVAILABLE', headers: { 'retry-after': '2' } };

describe('keys of an issuer', () => {
  it('are fetched once for all tokens, which are then verified at once', async () => {
    const authenticate = await authenticatorOf(remoteKeys(url), { clock: () => now.getTime() });
    expect(await authenticate(bearer('one'))).toMatchObject(accepted);
    expect(authenticate(bearer('one'))).toMatchObject(accepted);
    expect(fetches).toBe(1);
  });

  it.each<[PublicAlgorithm, { publicKey: KeyObject; privateKey: KeyObject }]>([
    ['RS256', rsa],
    ['PS256', rsa],
    ['ES256', ec],
    ['EdDSA', edwards],
    ['Ed25519', edwards],
  ])('verify %s', async (alg, pair) => {
    answer.body = setOf(...[rsa, ec, edwards].map(({ publicKey }) => jwk(publicKey)));
    const authenticate = await server();
    expect(await authenticate(bearer(undefined, pair, alg))).toMatchObject(accepted);
  });

  it.each([
    [
      'of which several fit a token that names none',
      undefined,
      [jwk(ec.publicKey, 'one'), jwk(otherEc.publicKey, 'two')],
    ],
    ['for another algorithm', 'one', [jwk(ec.publicKey, 'one', { alg: 'ES512' })]],
    ['for encryption', 'one', [jwk(ec.publicKey, 'one', { use: 'enc' })]],
    ['for other operations', 'one', [jwk(ec.publicKey, 'one', { key_ops: ['deriveKey'] })]],
    ['that are private', 'one', [jwk(ec.privateKey, 'one')]],
    ['without a kid, of a token with one', 'one', [jwk(ec.publicKey)]],
    ['of another signer', 'one', [jwk(otherEc.publicKey, 'one')]],
    ['that are a secret', 'one', [{ kty: 'oct', kid: 'one', k: 'AAAA' }]],
  ])('%s make UNAUTHENTICATED', async (_, kid, keys) => {
    answer.body = setOf(...keys);
    await expect((await server())(bearer(kid))).rejects.toMatchObject(refused);
  });

  it.each([
    ['no kid beside two keys', undefined, ['one', 'two'], 'The token names no key (kid), and its issuer has several'],
    ['a kid that two keys have', 'one', ['one', 'one'], "Several keys of the token's issuer have its kid"],
  ])('refuse a token with %s, and say why', async (_, kid, [first, second], detail) => {
    answer.body = setOf(jwk(ec.publicKey, first), jwk(otherEc.publicKey, second));
    const why = expect.stringContaining(detail);
    await expect((await server())(bearer(kid))).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
      detail: why,
    });
  });

  it('are used beside those that cannot be', async () => {
    const short = generateKeyPairSync('rsa', { modulusLength: 1024 });
    answer.body = setOf(null, 1, {}, { kty: 'EC', kid: 'one' }, jwk(short.publicKey, 'one'), jwk(ec.publicKey, 'one'));
    expect(await (await server())(bearer('one'))).toMatchObject(accepted);
  });

  it('are not fetched for an algorithm that no public key has', async () => {
    const authenticate = await server();
    for (const alg of ['HS256', 'none', 'RS512', ['ES256']])
      await expect(authenticate(`Bearer ${forge({ alg }, claims)}`)).rejects.toMatchObject(refused);
    expect(fetches).toBe(0);
  });
});

describe('an unknown kid', () => {
  it('is searched for at once, so that no token of a new key is refused', async () => {
    const authenticate = await server();
    await authenticate(bearer('one'));
    answer.body = setOf(jwk(otherEc.publicKey, 'two'));
    later(1_000);
    const some = Array.from({ length: 20 }, () => authenticate(bearer('two', otherEc)));
    for (const principal of await Promise.all(some)) expect(principal).toMatchObject(accepted);
    await expect(authenticate(bearer('one'))).rejects.toMatchObject(refused);
    expect(fetches).toBe(2);
  });

  it('fetches the keys twice at most, however many there are, each UNAUTHENTICATED', async () => {
    const authenticate = await server();
    const unknown = Array.from({ length: 1_000 }, (_, index) => bearer(`unknown-${index}`));
    const outcomes = await Promise.allSettled(unknown.map(authenticate));
    const codes = outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.code);
    expect(new Set(codes)).toEqual(new Set(['UNAUTHENTICATED']));
    for (const authorization of unknown.slice(0, 10)) {
      later(1_000);
      await expect(authenticate(authorization)).rejects.toMatchObject(refused);
    }
    expect(fetches).toBe(2);
  });

  it('is searched for again after half a minute', async () => {
    const authenticate = await server();
    for (const kid of ['two', 'three']) await expect(authenticate(bearer(kid))).rejects.toMatchObject(refused);
    expect(fetches).toBe(2);
    answer.body = setOf(jwk(otherEc.publicKey, 'two'));
    later(29_999);
    await expect(authenticate(bearer('two', otherEc))).rejects.toMatchObject(refused);
    later(1);
    expect(await authenticate(bearer('two', otherEc))).toMatchObject(accepted);
  });

  it('is SERVICE_UNAVAILABLE while the issuer is down, because its key may exist', async () => {
    const authenticate = await server();
    await authenticate(bearer('one'));
    answer = { status: 500, body: '' };
    await expect(authenticate(bearer('two', otherEc))).rejects.toMatchObject(unavailable);
    await expect(authenticate(bearer('two', otherEc))).rejects.toMatchObject(unavailable);
    expect(fetches).toBe(2);
    answer = { status: 200, body: setOf(jwk(otherEc.publicKey, 'two')) };
    later(2_000);
    expect(await authenticate(bearer('two', otherEc))).toMatchObject(accepted);
  });
});

describe('keys that have grown old', () => {
  it('are fetched again after ten minutes, so that a withdrawn one takes effect', async () => {
    const authenticate = await server();
    await authenticate(bearer('one'));
    answer.body = setOf(jwk(otherEc.publicKey, 'two'));
    later(10 * MINUTE_MS - 1);
    expect(await authenticate(bearer('one'))).toMatchObject(accepted);
    later(1);
    await expect(authenticate(bearer('one'))).rejects.toMatchObject(refused);
  });

  it('serve for an hour while the issuer is down', async () => {
    const authenticate = await server();
    await authenticate(bearer('one'));
    answer = { status: 500, body: '' };
    later(10 * MINUTE_MS);
    expect(await authenticate(bearer('one'))).toMatchObject(accepted);
    expect(await authenticate(bearer('one'))).toMatchObject(accepted);
    await expect(authenticate(bearer('two', otherEc))).rejects.toMatchObject(unavailable);
    expect(fetches).toBe(2);
    later(50 * MINUTE_MS - 1);
    expect(await authenticate(bearer('one'))).toMatchObject(accepted);
    later(2_000);
    await expect(authenticate(bearer('one'))).rejects.toMatchObject(unavailable);
  });
});

describe('keys that cannot be fetched', () => {
  it.each([
    ['an error', 500, keySet],
    ['a redirect', 302, ''],
    ['no JSON', 200, '<html>'],
    ['no key set', 200, '{"keys":1}'],
    ['null', 200, 'null'],
  ])('for %s make SERVICE_UNAVAILABLE, not fetched again for each caller', async (_, status, body) => {
    answer = { status, body };
    const authenticate = await server();
    await expect(authenticate(bearer('one'))).rejects.toMatchObject(unavailable);
    await expect(authenticate(bearer('one'))).rejects.toMatchObject(unavailable);
    expect(fetches).toBe(1);
    answer = { status: 200, body: keySet };
    later(2_000);
    expect(await authenticate(bearer('one'))).toMatchObject(accepted);
  });

  it('because nobody serves them make SERVICE_UNAVAILABLE', async () => {
    const authenticate = await server(new URL('http://127.0.0.1:1/keys'));
    await expect(authenticate(bearer('one'))).rejects.toMatchObject(unavailable);
  });

  it('because nobody answers make SERVICE_UNAVAILABLE after three seconds', async () => {
    answer.status = 0;
    const startedAt = performance.now();
    await expect((await server())(bearer('one'))).rejects.toMatchObject(unavailable);
    expect(performance.now() - startedAt).toBeGreaterThan(2_900);
  });
});
