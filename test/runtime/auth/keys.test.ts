import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { publicKeys, secretKeys } from '../../../src/runtime/auth/keys.ts';

const publicPem = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString();
const privatePem = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString();

describe('keys', () => {
  it('take a secret of 32 bytes, not of 31', () => {
    expect(secretKeys('é'.repeat(16)).algorithms).toEqual(['HS256']);
    expect(() => secretKeys('x'.repeat(31))).toThrow('a secret of at least 32 bytes');
  });

  it.each([
    ['a private key', privatePem(generateKeyPairSync('ed25519').privateKey), 'not a private one'],
    ['text', 'x'.repeat(40), 'a public key in PEM'],
    ['a short RSA key', publicPem(generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey), 'at least 2048 bits'],
    [
      'an RSA key for PSS alone',
      publicPem(generateKeyPairSync('rsa-pss', { modulusLength: 2048 }).publicKey),
      'an RSA key',
    ],
    ['another curve', publicPem(generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).publicKey), 'a P-256'],
    ['a key for exchange', publicPem(generateKeyPairSync('x25519').publicKey), 'an Ed25519 one'],
  ])('refuse %s as public key', (_, pem, accepted) => {
    expect(() => publicKeys(pem)).toThrow(accepted);
  });
});
