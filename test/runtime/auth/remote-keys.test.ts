import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import fastify from 'fastify';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { registerAuthentication } from '../../../src/runtime/auth/authenticator.ts';
import { remoteKeys } from '../../../src/runtime/auth/keys.ts';
import { eventually } from '../../support/eventually.ts';
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

/** An Ed25519 key, and a certificate of it. */
const CERTIFIED = createPrivateKey({
  key: Buffer.from('MC4CAQAwBQYDK2VwBCIEIOKxZGFIZESZMvA7sxmAM1aKiMN+szdT3JQSmzRvPfsZ', 'base64'),
  format: 'der',
  type: 'pkcs8',
});
const CERTIFICATE =
  'MIIBODCB66ADAgECAhR0aT3KyYt8oYjVpzWFdl8bIXosojAFBgMrZXAwETEPMA0GA1UEAwwGaXNzdWVyMCAXDTI2MTEyOTAx' +
  'NDQxM1oYDzIxMjYxMTA1MDE0NDEzWjARMQ8wDQYDVQQDDAZpc3N1ZXIwKjAFBgMrZXADIQBvdUU4Xt9zMBMDOjfGE0Q5TQ5z' +
  'rVoMuUgROBf+aa8fGaNTMFEwHQYDVR0OBBYEFHBi0muJmUIl8oMm0t5XqpIwoqb2MB8GA1UdIwQYMBaAFHBi0muJmUIl8oMm' +
  '0t5XqpIwoqb2MA8GA1UdEwEB/wQFMAMBAf8wBQYDK2VwA0EA030I8lDzedlM0MYJvKekoU7nQzg3tH2flXHuRkX4bQhxq+QU' +
  'teE5hyL5JIWAYPJniJqkwQwBVAoW8vy0zRNtBw==';

const claims = { ...CLAIMS, exp: nowSeconds + 24 * 3_600 };
let tokens = 0;

/** A token that nobody has seen. */
function bearer(
  kid: string | undefined,
  { privateKey }: { readonly privateKey: KeyObject } = ec,
  alg: PublicAlgorithm = 'ES256',
): string {
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
    ['as the first of a chain', { kty: 'OKP', kid: 'one', use: 'sig', x5c: [CERTIFICATE, 'AAAA'] }],
    ['without its type', { kid: 'one', x5c: [CERTIFICATE] }],
  ])('are read of a certificate alone, %s', async (_, key) => {
    answer.body = setOf(key);
    expect(await (await server())(bearer('one', { privateKey: CERTIFIED }, 'EdDSA'))).toMatchObject(accepted);
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
    ['whose certificate is not one', 'one', [{ kty: 'OKP', kid: 'one', x5c: ['AAAA'] }]],
    ['whose certificate has a key of another type', 'one', [{ kty: 'RSA', kid: 'one', x5c: [CERTIFICATE] }]],
    ['that are a secret', 'one', [{ kty: 'oct', kid: 'one', k: 'AAAA' }]],
  ])('%s make UNAUTHENTICATED', async (_, kid, keys) => {
    answer.body = setOf(...keys);
    await expect((await server())(bearer(kid))).rejects.toMatchObject(refused);
  });

  it('refuse a token with no kid beside two keys, and say why', async () => {
    answer.body = setOf(jwk(ec.publicKey, 'one'), jwk(otherEc.publicKey, 'two'));
    await expect((await server())(bearer(undefined))).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
      detail: expect.stringContaining('The token names no key (kid), and its issuer has several'),
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

  it('causes one fetch however many come at once, and twelve a minute at most, each UNAUTHENTICATED', async () => {
    const authenticate = await server();
    await authenticate(bearer('one'));
    const unknown = Array.from({ length: 1_000 }, (_, index) => bearer(`unknown-${index}`));
    const outcomes = await Promise.allSettled(unknown.map(authenticate));
    const codes = outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.code);
    expect(new Set(codes)).toEqual(new Set(['UNAUTHENTICATED']));
    expect(fetches).toBe(2);
    const searches: number[] = [now.getTime()];
    for (let i = 0; i < 360; i++) {
      later(500);
      const before = fetches;
      await expect(authenticate(bearer(`another-${i}`))).rejects.toMatchObject(refused);
      if (fetches > before) searches.push(now.getTime());
    }
    for (const [i, at] of searches.entries())
      expect(searches.slice(i).filter((one) => one - at < MINUTE_MS).length).toBeLessThanOrEqual(12);
  });

  it('that strangers send delays no token of a known key, and no new key for more than seven seconds', async () => {
    const authenticate = await authenticatorOf(remoteKeys(url), { clock: () => now.getTime() });
    await authenticate(bearer('one'));
    const attempt = async (authorization: string) => authenticate(authorization);
    for (let i = 0; i < 40; i++) {
      later(1_000);
      const stranger = expect(attempt(bearer(`unknown-${i}`))).rejects.toMatchObject(refused);
      expect(authenticate(bearer('one'))).toMatchObject(accepted);
      await stranger;
    }
    answer.body = setOf(jwk(ec.publicKey, 'one'), jwk(otherEc.publicKey, 'two'));
    later(7_000);
    expect(await authenticate(bearer('two', otherEc))).toMatchObject(accepted);
  });

  it('is searched for again after five seconds', async () => {
    const authenticate = await server();
    for (const kid of ['two', 'three']) await expect(authenticate(bearer(kid))).rejects.toMatchObject(refused);
    expect(fetches).toBe(2);
    answer.body = setOf(jwk(otherEc.publicKey, 'two'));
    later(4_999);
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

describe('known keys', () => {
  it.each([
    ['no keys', 200, '{"keys":[]}'],
    ['no key that can verify', 200, setOf(jwk(ec.publicKey, 'one', { use: 'enc' }), { kty: 'new', kid: 'two' })],
    ['more keys than any issuer has', 200, setOf(...Array.from({ length: 101 }, () => jwk(ec.publicKey, 'one')))],
    ['more than a MiB', 200, `${' '.repeat(2 ** 20)}${keySet}`],
    ['no JSON', 200, '<html>'],
    ['an error', 500, keySet],
    ['a redirect', 302, ''],
  ])('stay while the issuer answers with %s, for an hour, and delay nobody', async (_, status, body) => {
    const authenticate = await authenticatorOf(remoteKeys(url), { clock: () => now.getTime() });
    const attempt = async (authorization: string) => authenticate(authorization);
    await authenticate(bearer('one'));
    answer = { status, body };
    await expect(attempt(bearer('two'))).rejects.toMatchObject(unavailable);
    expect(authenticate(bearer('one'))).toMatchObject(accepted);
    later(10 * MINUTE_MS);
    expect(await authenticate(bearer('one'))).toMatchObject(accepted);
    later(50 * MINUTE_MS - 1);
    const old = bearer('one');
    expect(await authenticate(old)).toMatchObject(accepted);
    later(2_001);
    await expect(attempt(bearer('one'))).rejects.toMatchObject(unavailable);
    await expect(attempt(old)).rejects.toMatchObject(unavailable);
    answer = { status: 200, body: keySet };
    later(2_000);
    expect(await authenticate(bearer('one'))).toMatchObject(accepted);
  });

  it('are judged by at once while the issuer hangs', async () => {
    const authenticate = await authenticatorOf(remoteKeys(url), { clock: () => now.getTime() });
    await authenticate(bearer('one'));
    answer.status = 0;
    const stranger = Promise.resolve(authenticate(bearer('two'))).catch((error: unknown) => error);
    await eventually(() => expect(fetches).toBe(2));
    later(10 * MINUTE_MS - 1);
    expect(authenticate(bearer('one'))).toMatchObject(accepted);
    issuer.closeAllConnections();
    expect(await stranger).toMatchObject(unavailable);
  });

  it('that an answer lacks are gone at once, for tokens seen before, too', async () => {
    const authenticate = await server();
    const seen = bearer('one');
    await authenticate(seen);
    answer.body = setOf(jwk(otherEc.publicKey, 'two'));
    expect(await authenticate(bearer('two', otherEc))).toMatchObject(accepted);
    await expect(authenticate(seen)).rejects.toMatchObject(refused);
  });

  it('of one kid are all tried, and equal ones are one', async () => {
    answer.body = setOf(...[otherEc, ec, ec].map(({ publicKey }) => jwk(publicKey, 'one')), jwk(rsa.publicKey, 'one'));
    const authenticate = await server();
    for (const pair of [ec, otherEc]) expect(await authenticate(bearer('one', pair))).toMatchObject(accepted);
    expect(await authenticate(bearer('one', rsa, 'RS256'))).toMatchObject(accepted);
    answer.body = setOf(jwk(ec.publicKey), jwk(ec.publicKey));
    const other = await server();
    expect(await other(bearer(undefined))).toMatchObject(accepted);
  });

  it('are fetched ahead of their age, and again soon if that fails, until the server closes', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const app = fastify();
    const authenticate = await registerAuthentication(
      app,
      { keys: remoteKeys(url), clock: () => now.getTime() },
      Date.now,
    );
    const pass = async (seconds: number): Promise<void> => {
      for (let i = 0; i < seconds; i++) {
        later(1_000);
        vi.advanceTimersByTime(1_000);
        await new Promise(setImmediate);
      }
    };
    /** While answers are on their way, time passes, too. */
    const passed = async (seconds: number, fetched: number): Promise<void> => {
      await pass(seconds - 1);
      expect(fetches).toBe(fetched - 1);
      while (fetches < fetched) await pass(1);
    };
    await authenticate(bearer('one'));
    await passed(300, 2);
    await passed(300, 3);
    answer = { status: 500, body: '' };
    await passed(300, 4);
    answer = { status: 200, body: setOf(jwk(otherEc.publicKey, 'two')) };
    expect(authenticate(bearer('one'))).toMatchObject(accepted);
    await passed(30, 5);
    await eventually(() => expect(authenticate(bearer('two', otherEc))).toMatchObject(accepted));
    await app.close();
    await pass(1_200);
    expect(fetches).toBe(5);
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
