import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { registerAuthentication } from '../../../src/runtime/auth/authenticator.ts';
import { Identification } from '../../../src/runtime/auth/identification.ts';
import { publicKeys, secretKeys } from '../../../src/runtime/auth/keys.ts';
import { signToken } from '../../../src/runtime/auth/sign-token.ts';
import {
  AUDIENCE,
  authenticatorOf,
  CLAIMS,
  forge,
  HEADER,
  ISSUER,
  NOW,
  nowSeconds,
  SECRET,
  signWith,
} from './tokens.ts';

const keys = secretKeys(SECRET);
const options = { issuers: [ISSUER], audience: AUDIENCE, clock: () => NOW.getTime() };
const authenticate = await authenticatorOf(keys, options);
const bearer = (changed: object = {}) => `Bearer ${forge(HEADER, { ...CLAIMS, ...changed })}`;

describe('authenticate', () => {
  it('answers anonymous without a header', () => {
    const access = { anyOf: [{ schemes: [{ name: 'token', scopes: [] }] }] };
    const schemes = { token: { isBearer: true, in: 'header', name: 'Authorization' } } as const;
    const identify = new Identification({ securitySchemes: schemes }, authenticate).for({ operationId: 'a', access });
    expect(identify?.({ headers: {}, query: {} })).toBeUndefined();
    expect(identify).toBeDefined();
  });

  it('answers the subject, the scopes, the end and all claims of the token, at once', () => {
    expect(authenticate(bearer({ tenant: 'a', roles: ['x'] }))).toEqual({
      subject: 'ada',
      scopes: new Set(['a', 'b']),
      expiresAtMs: NOW.getTime() + 60_000,
      claims: { ...CLAIMS, tenant: 'a', roles: ['x'] },
    });
  });

  it.each([
    ['scp as an array', { scope: undefined, scp: ['a', 'b'] }, ['a', 'b']],
    ['scp as a string', { scope: undefined, scp: 'a b' }, ['a', 'b']],
    ['scope as an array', { scope: ['a', 'b'] }, ['a', 'b']],
    ['scope rather than scp', { scope: 'a', scp: ['b'] }, ['a']],
    ['repeated and spare spaces', { scope: ' a  a b ' }, ['a', 'b']],
    ['no scope', { scope: undefined }, []],
  ])('reads scopes from %s', async (_, claims, scopes) => {
    expect((await authenticate(bearer(claims)))?.scopes).toEqual(new Set(scopes));
  });

  it.each([
    ['a claim', ['permissions'], { permissions: ['a', 'c'] }, ['a', 'c']],
    ['a path', ['realm_access.roles'], { realm_access: { roles: ['c'] } }, ['c']],
    ['a claim whose name is a URL', ['https://app.example/roles'], { 'https://app.example/roles': ['c'] }, ['c']],
    ['a path whose names have dots', ['apps.my.api.roles'], { apps: { 'my.api': { roles: 'c d' } } }, ['c', 'd']],
    ['several claims', ['scope', 'roles', 'none'], { roles: ['c'] }, ['a', 'b', 'c']],
    ['a path that leads nowhere', ['sub.name.first'], {}, []],
    ['a name that every object has', ['constructor.name', 'toString'], {}, []],
  ])('reads scopes from %s that is named', async (_, scopeClaims, claims, scopes) => {
    const authenticateBy = await authenticatorOf(keys, { ...options, scopeClaims });
    expect((await authenticateBy(bearer(claims)))?.scopes).toEqual(new Set(scopes));
  });

  it('refuses a named claim that holds no scopes', async () => {
    const authenticateBy = await authenticatorOf(keys, { ...options, scopeClaims: ['roles'] });
    expect(() => authenticateBy(bearer({ roles: [{ name: 'a' }] }))).toThrow(
      expect.objectContaining({ detail: "The token's roles is not accepted." }),
    );
  });

  it.each([
    ['a lower-case scheme', bearer().replace('Bearer', 'bearer')],
    ['several spaces after the scheme', bearer().replace(' ', '   ')],
    ['an audience among several', bearer({ aud: ['https://other.example', AUDIENCE] })],
    ['an nbf that has passed', bearer({ nbf: nowSeconds })],
    ['a typ of access tokens', `Bearer ${forge({ ...HEADER, typ: 'application/at+jwt' }, CLAIMS)}`],
    ['no typ', `Bearer ${forge({ alg: 'HS256' }, CLAIMS)}`],
  ])('accepts %s', async (_, authorization) => {
    expect(await authenticate(authorization)).toMatchObject({ subject: 'ada' });
  });

  it.each([
    [30_000, 30, true],
    [30_000, 31, false],
    [0, 0, true],
    [0, 1, false],
    [undefined, 1, false],
  ])('with a leeway of %s ms, accepts an nbf %i s ahead: %s', async (leewayMs, ahead, isAccepted) => {
    const verifier = await authenticatorOf(keys, { ...options, leewayMs });
    const attempt = () => verifier(bearer({ nbf: nowSeconds + ahead }));
    if (isAccepted) expect(attempt()).toMatchObject({ subject: 'ada' });
    else expect(attempt).toThrow(expect.objectContaining({ detail: "The token's nbf is not accepted." }));
  });

  it('logs once a minute that no trusted key has signed tokens, without anything of them', async () => {
    let nowMs = NOW.getTime();
    const lines: string[] = [];
    const app = fastify({ logger: { level: 'info', stream: { write: (line: string) => void lines.push(line) } } });
    const verify = await registerAuthentication(app, { keys, clock: () => nowMs }, Date.now);
    const wrong = (sub: string) => forge(HEADER, { ...CLAIMS, sub }, 'another secret of more than 32 bytes....');
    const refused = (authorization: string) => expect(() => verify(authorization)).toThrow('not signed with a key');
    for (let i = 0; i < 100; i++) refused(`Bearer ${wrong(`grace-${i}`)}`);
    expect(() => verify(bearer({ exp: nowSeconds - 1 }))).toThrow('expired');
    expect(() => verify('Bearer x')).toThrow();
    nowMs += 59_999;
    refused(`Bearer ${wrong('grace')}`);
    nowMs += 1;
    refused(`Bearer ${wrong('grace')}`);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 40, count: 1 },
      { level: 40, count: 101, msg: 'tokens were refused: no key that this server trusts has signed them' },
    ]);
    for (const line of lines) {
      expect(line).not.toContain('grace');
      for (const part of wrong('grace').split('.')) expect(line).not.toContain(part);
    }
  });

  it('accepts each of several audiences, and no other', async () => {
    const several = { ...options, audience: [AUDIENCE, 'https://api.example/mcp'] };
    const verifier = await authenticatorOf(keys, several);
    for (const aud of [AUDIENCE, 'https://api.example/mcp', ['x', AUDIENCE]])
      expect(await verifier(bearer({ aud }))).toMatchObject({ subject: 'ada' });
    for (const aud of ['https://api.example/other', undefined])
      await expect(async () => verifier(bearer({ aud }))).rejects.toThrow(/aud/);
  });

  it('accepts any issuer and audience when none is set', async () => {
    const anyIssuer = await authenticatorOf(keys, { clock: () => NOW.getTime() });
    expect(await anyIssuer(bearer({ iss: 'x', aud: undefined }))).toMatchObject({ subject: 'ada' });
  });

  it.each([
    ['RS256', generateKeyPairSync('rsa', { modulusLength: 2048 })],
    ['PS256', generateKeyPairSync('rsa', { modulusLength: 2048 })],
    ['ES256', generateKeyPairSync('ec', { namedCurve: 'P-256' })],
    ['EdDSA', generateKeyPairSync('ed25519')],
    ['Ed25519', generateKeyPairSync('ed25519')],
  ] as const)('accepts %s by a public key, at once', async (alg, { privateKey, publicKey }) => {
    const pem = (publicKey as KeyObject).export({ type: 'spki', format: 'pem' }).toString();
    const verifier = await authenticatorOf(publicKeys(pem.replaceAll('\n', '\\n')), options);
    expect(verifier(`Bearer ${signWith(privateKey, alg, CLAIMS)}`)).toMatchObject({ subject: 'ada' });
  });

  it('accepts what signToken signs', async () => {
    const token = signToken(keys, {
      subject: 'ada',
      scopes: ['a', 'b'],
      expiresInSeconds: 60,
      issuer: ISSUER,
      audience: AUDIENCE,
      now: NOW,
    });
    expect(await authenticate(`Bearer ${token}`)).toEqual(await authenticate(bearer()));
  });

  it.each(['permissions', 'realm_access.roles', 'https://app.example/roles'])(
    'accepts what signToken signs for %s',
    async (scopeClaim) => {
      const token = signToken(keys, { subject: 'ada', scopes: ['a', 'b'], expiresInSeconds: 60, now: NOW, scopeClaim });
      const authenticateBy = await authenticatorOf(keys, { clock: () => NOW.getTime(), scopeClaims: [scopeClaim] });
      expect((await authenticateBy(`Bearer ${token}`))?.scopes).toEqual(new Set(['a', 'b']));
    },
  );
});

describe('a token seen before', () => {
  it('is answered with the same principal', () => {
    const principal = authenticate(bearer());
    expect(authenticate(bearer())).toBe(principal);
  });

  it('is refused from its exp on', async () => {
    let now = NOW;
    const verifier = await authenticatorOf(keys, { clock: () => now.getTime() });
    verifier(bearer());
    now = new Date(NOW.getTime() + 59_999);
    expect(verifier(bearer())).toMatchObject({ subject: 'ada' });
    now = new Date(NOW.getTime() + 60_000);
    expect(() => verifier(bearer())).toThrow(
      expect.objectContaining({ code: 'UNAUTHENTICATED', detail: 'The token has expired.' }),
    );
  });

  it('is refused from its exp and the leeway on', async () => {
    let now = NOW;
    const verifier = await authenticatorOf(keys, { clock: () => now.getTime(), leewayMs: 30_000 });
    expect(verifier(bearer())).toMatchObject({ expiresAtMs: NOW.getTime() + 90_000 });
    now = new Date(NOW.getTime() + 89_999);
    expect(verifier(bearer())).toMatchObject({ subject: 'ada' });
    expect(verifier(bearer({ jti: '1' }))).toMatchObject({ subject: 'ada' });
    now = new Date(NOW.getTime() + 90_000);
    for (const token of [bearer(), bearer({ jti: '2' })])
      expect(() => verifier(token)).toThrow(expect.objectContaining({ detail: 'The token has expired.' }));
  });

  it('is verified again after five minutes', async () => {
    let now = NOW;
    const verifier = await authenticatorOf(keys, { clock: () => now.getTime() });
    const lasting = bearer({ exp: nowSeconds + 3_600 });
    const principal = verifier(lasting);
    now = new Date(NOW.getTime() + 299_999);
    expect(verifier(lasting)).toBe(principal);
    now = new Date(NOW.getTime() + 300_000);
    expect(verifier(lasting)).not.toBe(principal);
  });

  it('is not kept when refused', () => {
    const forged = bearer({ sub: '' });
    expect(() => authenticate(forged)).toThrow();
    expect(() => authenticate(forged)).toThrow();
  });
});
