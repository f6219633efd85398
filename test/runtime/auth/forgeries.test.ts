import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { publicKeys, secretKeys } from '../../../src/runtime/auth/keys.ts';
import { forgeries, unsigned, valid } from './forged-tokens.ts';
import { AUDIENCE, authenticatorOf, CLAIMS, forge, HEADER, ISSUER, NOW, SECRET, signWith } from './tokens.ts';

const options = { issuers: [ISSUER], audience: AUDIENCE, clock: () => NOW.getTime() };
const authenticate = await authenticatorOf(secretKeys(SECRET), options);
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pem = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString();
const refusal = expect.objectContaining({
  code: 'UNAUTHENTICATED',
  headers: { 'www-authenticate': 'Bearer realm="api", error="invalid_token"' },
});

describe('a forged or malformed token', () => {
  it('differs from one that is accepted', () => {
    expect(authenticate(`Bearer ${valid}`)).toMatchObject({ subject: 'ada' });
  });

  it.each(forgeries)('%s is UNAUTHENTICATED with a challenge', (_, authorization) => {
    expect(() => authenticate(authorization)).toThrow(refusal);
  });

  it.each([
    ['issuer', { issuers: [ISSUER] }, { iss: undefined }],
    ['audience', { audience: AUDIENCE }, { aud: undefined }],
  ])('no %s is UNAUTHENTICATED where one is set alone', async (_, rules, changed) => {
    const verifier = await authenticatorOf(secretKeys(SECRET), { ...rules, clock: () => NOW.getTime() });
    expect(verifier(`Bearer ${valid}`)).toMatchObject({ subject: 'ada' });
    expect(() => verifier(`Bearer ${forge(HEADER, { ...CLAIMS, ...changed })}`)).toThrow(refusal);
  });

  it.each([
    ['RSA', rsa.publicKey],
    ['EC', ec.publicKey],
  ])('HS256 with the %s public key as secret is UNAUTHENTICATED', async (_, publicKey) => {
    const verifier = await authenticatorOf(publicKeys(pem(publicKey)), options);
    expect(() => verifier(`Bearer ${forge(HEADER, CLAIMS, pem(publicKey))}`)).toThrow(refusal);
  });

  it.each([
    ['blank', Buffer.alloc(64)],
    ['short', Buffer.alloc(63)],
    ['DER', Buffer.from('3006020101020101', 'hex')],
  ])('ES256 with a %s signature is UNAUTHENTICATED', async (_, signature) => {
    const verifier = await authenticatorOf(publicKeys(pem(ec.publicKey)), options);
    const input = unsigned({ alg: 'ES256' });
    expect(() => verifier(`Bearer ${input}${signature.toString('base64url')}`)).toThrow(refusal);
  });

  it('a signature of the right key in another algorithm is UNAUTHENTICATED', async () => {
    const verifier = await authenticatorOf(publicKeys(pem(rsa.publicKey)), options);
    const input = unsigned({ alg: 'RS512' }).slice(0, -1);
    const forged = sign('sha512', Buffer.from(input), rsa.privateKey).toString('base64url');
    expect(() => verifier(`Bearer ${input}.${forged}`)).toThrow(refusal);
  });

  it('a signature of the right key under the name of another algorithm is UNAUTHENTICATED', async () => {
    const verifier = await authenticatorOf(publicKeys(pem(rsa.publicKey)), options);
    expect(() => verifier(`Bearer ${signWith(rsa.privateKey, 'RS256', CLAIMS, { alg: 'PS256' })}`)).toThrow(refusal);
  });
});
