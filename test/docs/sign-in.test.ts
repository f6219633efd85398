import { generateKeyPairSync } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { issuerKeys } from '../../src/runtime/auth/keys.ts';
import { authenticatorOf } from '../runtime/auth/tokens.ts';

const ROOT = join(import.meta.dirname, '../..');
const AUDIENCE = 'https://api.shop.example';
const CLIENT_SECRET = 'a-secret-of-the-importer-alone';

/** Where the packages of this project are found. */
const folder = join(ROOT, 'node_modules/.cache', `sign-in-${process.pid}`);

interface Issuer {
  callback(): RequestListener;
}

describe('the issuer of docs/sign-in.md', () => {
  let server: Server;
  let origin: string;
  let handle: RequestListener = (_, response) => void response.writeHead(503).end();

  beforeAll(async () => {
    server = createServer((request, response) => handle(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const key = { ...privateKey.export({ format: 'jwk' }), kid: 'one', alg: 'ES256', use: 'sig' };
    Object.assign(process.env, { ISSUER: origin, AUDIENCE, CLIENT_SECRET, SIGNING_KEY: JSON.stringify(key) });
    const page = await readFile(join(ROOT, 'docs/sign-in.md'), 'utf8');
    const [, program] = /```js issuer\.mjs\n([\s\S]*?)```/.exec(page)!;
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'issuer.mjs'), program!);
    const { issuer } = (await import(join(folder, 'issuer.mjs'))) as { readonly issuer: Issuer };
    handle = issuer.callback();
  });
  afterAll(async () => {
    for (const name of ['ISSUER', 'AUDIENCE', 'CLIENT_SECRET', 'SIGNING_KEY']) delete process.env[name];
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await rm(folder, { recursive: true, force: true });
  });

  async function tokenWith(scope: string): Promise<string> {
    const response = await fetch(`${origin}/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`importer:${CLIENT_SECRET}`).toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', scope }),
    });
    const answer = (await response.json()) as { readonly access_token: string };
    expect(response.status, JSON.stringify(answer)).toBe(200);
    return answer.access_token;
  }

  const trusting = (audience: string) =>
    authenticatorOf(issuerKeys([origin]), { issuers: [origin], audience, leewayMs: 30_000 });

  it('signs tokens that are accepted, with their scopes', async () => {
    const authenticate = await trusting(AUDIENCE);
    const token = await tokenWith('products:write users:read');
    expect(await authenticate(`Bearer ${token}`)).toMatchObject({
      subject: 'importer',
      scopes: new Set(['products:write', 'users:read']),
    });
    const narrow = await authenticate(`Bearer ${await tokenWith('users:read')}`);
    expect(narrow.scopes).toEqual(new Set(['users:read']));
  });

  it('signs tokens that another API refuses', async () => {
    const authenticate = await trusting('https://other.example');
    await expect(authenticate(`Bearer ${await tokenWith('users:read')}`)).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
      detail: "The token's aud is not accepted.",
    });
  });
});
