import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createAuthenticator } from '../../src/runtime/auth/authenticator.ts';
import { publicKeys, secretKeys } from '../../src/runtime/auth/keys.ts';
import { AUDIENCE, base64url, CLAIMS, forge, HEADER, ISSUER, NOW, nowSeconds, SECRET, withRaw } from './tokens.ts';

const options = { issuer: ISSUER, audience: AUDIENCE, clock: () => NOW };
const authenticate = createAuthenticator(secretKeys(SECRET), options);
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pem = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString();
const unsigned = (header: object, payload: object = CLAIMS) =>
  `${base64url(JSON.stringify(header))}.${base64url(JSON.stringify(payload))}.`;
const claims = (changed: object) => `Bearer ${forge(HEADER, { ...CLAIMS, ...changed })}`;
const header = (changed: object) => `Bearer ${forge({ ...HEADER, ...changed }, CLAIMS)}`;
const raw = (name: string, value: string) => `Bearer ${forge(HEADER, withRaw(name, value))}`;
const valid = forge(HEADER, CLAIMS);
const [head, body, signature] = valid.split('.') as [string, string, string];
const without = (claim: keyof typeof CLAIMS) => {
  const { [claim]: _, ...rest } = CLAIMS;
  return `Bearer ${forge(HEADER, rest)}`;
};

const forgeries: readonly [name: string, authorization: string][] = [
  ['alg none', `Bearer ${unsigned({ alg: 'none' })}`],
  ['alg NONE', `Bearer ${unsigned({ alg: 'NONE' })}`],
  ['alg missing', `Bearer ${forge({ typ: 'JWT' }, CLAIMS)}`],
  ['alg of another kind of key', header({ alg: 'RS256' })],
  ['alg of another size', header({ alg: 'HS512' })],
  ['alg an array', header({ alg: ['HS256'] })],
  ['another secret', `Bearer ${forge(HEADER, CLAIMS, 'another secret, as long as the first is.')}`],
  ['an empty secret', `Bearer ${forge(HEADER, CLAIMS, '')}`],
  ['no signature', `Bearer ${head}.${body}.`],
  ['a truncated signature', `Bearer ${valid.slice(0, -4)}`],
  ['a truncated token', `Bearer ${head}`],
  ['a changed payload', `Bearer ${head}.${base64url(JSON.stringify({ ...CLAIMS, sub: 'eve' }))}.${signature}`],
  ['another issuer', claims({ iss: 'https://evil.example' })],
  ['issuers in an array', claims({ iss: [ISSUER] })],
  ['no issuer', without('iss')],
  ['another audience', claims({ aud: 'https://other.example' })],
  ['an audience that is an object', claims({ aud: { [AUDIENCE]: true } })],
  ['no audience', without('aud')],
  ['no exp', without('exp')],
  ['exp in the past', claims({ exp: nowSeconds - 1 })],
  ['exp now', claims({ exp: nowSeconds })],
  ['exp negative', claims({ exp: -1 })],
  ['exp a string', claims({ exp: String(nowSeconds + 60) })],
  ['exp null', raw('exp', 'null')],
  ['exp NaN', raw('exp', 'NaN')],
  ['exp infinite', raw('exp', '1e999')],
  ['exp an object', claims({ exp: { $gt: 0 } })],
  ['nbf in the future', claims({ nbf: nowSeconds + 60 })],
  ['nbf a string', claims({ nbf: '0' })],
  ['iat a string', claims({ iat: 'now' })],
  ['no sub', without('sub')],
  ['sub empty', claims({ sub: '' })],
  ['sub a number', claims({ sub: 1 })],
  ['sub huge', claims({ sub: 'x'.repeat(256) })],
  ['sub with a lone surrogate', raw('sub', '"\\ud800"')],
  ['scope a number', claims({ scope: 1 })],
  ['scope an array', claims({ scope: ['a'] })],
  ['scp of numbers', `Bearer ${forge(HEADER, { ...CLAIMS, scope: undefined, scp: [1] })}`],
  ['crit of an unknown extension', header({ crit: ['http://example'], 'http://example': 1 })],
  ['crit of a known extension', header({ crit: ['b64'], b64: true })],
  ['crit empty', header({ crit: [] })],
  ['typ of another purpose', header({ typ: 'logout+jwt' })],
  ['typ a number', header({ typ: 1 })],
  [
    'a key in the header',
    `Bearer ${forge({ ...HEADER, jwk: { kty: 'oct', k: base64url('k'.repeat(32)) } }, CLAIMS, 'k'.repeat(32))}`,
  ],
  ['a key set URL in the header', `Bearer ${forge({ ...HEADER, jku: 'http://127.0.0.1:1/keys' }, CLAIMS, 'k')}`],
  ['a certificate URL in the header', `Bearer ${forge({ ...HEADER, x5u: 'http://127.0.0.1:1/cert' }, CLAIMS, 'k')}`],
  ['a kid that is a path', `Bearer ${forge({ ...HEADER, kid: '../../../../dev/null' }, CLAIMS, '')}`],
  ['a kid that is SQL', `Bearer ${forge({ ...HEADER, kid: "' UNION SELECT 'k" }, CLAIMS, 'k')}`],
  ['more dots', `Bearer ${valid}.${signature}`],
  ['only dots', 'Bearer ..'],
  ['five parts, as if encrypted', `Bearer ${head}.${head}.${body}.${body}.${signature}`],
  ['a payload that is no JSON', `Bearer ${forge(HEADER, 'not JSON')}`],
  ['a payload that is an array', `Bearer ${forge(HEADER, [CLAIMS])}`],
  ['a payload that is null', `Bearer ${forge(HEADER, 'null')}`],
  ['a payload that is a number', `Bearer ${forge(HEADER, '1')}`],
  ['a header that is no JSON', `Bearer ${forge('{', CLAIMS)}`],
  ['a header that is null', `Bearer ${forge('null', CLAIMS)}`],
  ['a payload of broken UTF-8', `Bearer ${head}.${Buffer.from([0x22, 0xff, 0x22]).toString('base64url')}.${signature}`],
  ['deep nesting', `Bearer ${forge(HEADER, '['.repeat(5_000))}`],
  ['a huge token', `Bearer ${'x'.repeat(15_000)}.${body}.${signature}`],
  ['no token', 'Bearer'],
  ['a blank token', 'Bearer '],
  ['an empty header', ''],
  ['a tab after the scheme', `Bearer\t${valid}`],
  ['no space after the scheme', `Bearer${valid}`],
  ['the scheme twice', `Bearer Bearer ${valid}`],
  ['two tokens', `Bearer ${valid}, Bearer ${valid}`],
  ['text after the token', `Bearer ${valid} x`],
  ['a token with quotes', `Bearer "${valid}"`],
  ['a bare token', valid],
  ['another scheme', `Basic ${base64url('ada:secret')}`],
];

describe('a forged or malformed token', () => {
  it('differs from one that is accepted', async () => {
    expect(await authenticate(`Bearer ${valid}`)).toMatchObject({ subject: 'ada' });
  });

  it.each(forgeries)('%s is UNAUTHENTICATED with a challenge', async (_, authorization) => {
    await expect(authenticate(authorization)).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
      headers: { 'www-authenticate': 'Bearer realm="api", error="invalid_token"' },
    });
  });

  it.each([
    ['RSA', rsa.publicKey],
    ['EC', ec.publicKey],
  ])('HS256 with the %s public key as secret is UNAUTHENTICATED', async (_, publicKey) => {
    const verifier = createAuthenticator(publicKeys(pem(publicKey)), options);
    await expect(verifier(`Bearer ${forge(HEADER, CLAIMS, pem(publicKey))}`)).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    });
  });

  it('ES256 with a blank signature is UNAUTHENTICATED', async () => {
    const verifier = createAuthenticator(publicKeys(pem(ec.publicKey)), options);
    const input = unsigned({ alg: 'ES256' });
    await expect(verifier(`Bearer ${input}${Buffer.alloc(64).toString('base64url')}`)).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    });
  });

  it('a signature of the right key in another algorithm is UNAUTHENTICATED', async () => {
    const verifier = createAuthenticator(publicKeys(pem(rsa.publicKey)), options);
    const input = unsigned({ alg: 'RS512' }).slice(0, -1);
    const forged = sign('sha512', Buffer.from(input), rsa.privateKey).toString('base64url');
    await expect(verifier(`Bearer ${input}.${forged}`)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });
});
