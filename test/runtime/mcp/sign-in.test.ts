import { generateKeyPairSync } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import Provider, { type Context } from 'oidc-provider';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { issuerKeys } from '../../../src/runtime/auth/keys.ts';
import { freePort } from '../../../src/tools/free-port.ts';
import { databases } from '../../support/databases.ts';
import { admin, Shop } from '../../support/storefront.ts';

const REDIRECT = 'http://127.0.0.1:1/callback';
const SCOPES = admin.scope.split(' ');
/** More than any sign-in takes. */
const MOST_HOPS = 9;
const WITHHELD = 'products:write';

const METADATA = {
  client_name: 'A host',
  redirect_uris: [REDIRECT],
  application_type: 'native',
  grant_types: ['authorization_code'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
};
/** A client id that users enter. */
const ENTERED = 'a-host';

/** What the user grants to hosts. */
const granted = new Set(SCOPES.filter((scope) => scope !== WITHHELD));

let identity: Server;
let shop: Shop;
let url: URL;
beforeAll(async () => {
  identity = createServer();
  await new Promise<void>((resolve) => identity.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(identity.address() as AddressInfo).port}`;
  identity.on('request', identityProvider(issuer));
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  url = new URL(`${publicUrl}/mcp`);
  shop = await Shop.open(databases[0]!, {
    authentication: { keys: issuerKeys([issuer]), issuers: [issuer], audience: [url.href] },
    mcp: { publicUrl, issuers: [issuer] },
  });
  await shop.listen(port);
});
afterAll(async () => {
  await shop.close();
  identity.closeAllConnections();
  identity.close();
});

/** Registers any host, signs in the same user, and grants what the user does. */
function identityProvider(issuer: string) {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const provider = new Provider(issuer, {
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'one' }] },
    scopes: SCOPES,
    cookies: { keys: ['a key of the tests'] },
    findAccount: (_: unknown, accountId: string) => ({ accountId, claims: () => ({ sub: accountId }) }),
    interactions: { url: () => '/sign-in' },
    clients: [{ client_id: ENTERED, ...METADATA }],
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: (_: unknown, audience: string) => ({
          audience,
          scope: SCOPES.join(' '),
          accessTokenFormat: 'jwt',
        }),
      },
    },
    async loadExistingGrant({ oidc: { client, session, params } }: Context) {
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      for (const scope of (params.scope ?? '').split(' '))
        if (granted.has(scope)) {
          grant.addOIDCScope(scope);
          grant.addResourceScope(params.resource!, scope);
        } else {
          grant.rejectOIDCScope(scope);
          grant.rejectResourceScope(params.resource!, scope);
        }
      await grant.save();
      return grant;
    },
  });
  const answer = provider.callback();
  return (...[request, response]: Parameters<typeof answer>): void => {
    if (request.url !== '/sign-in') answer(request, response);
    else void provider.interactionFinished(request, response, { login: { accountId: admin.subject }, consent: {} });
  };
}

/** A host that keeps what it gets. */
class Host implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT;
  readonly clientMetadata = METADATA;
  /** Where the user was sent to, each time. */
  readonly visited: URL[] = [];
  #client: ReturnType<NonNullable<OAuthClientProvider['clientInformation']>>;
  #tokens: ReturnType<OAuthClientProvider['tokens']>;
  #discovered: ReturnType<NonNullable<OAuthClientProvider['discoveryState']>>;
  #verifier = '';
  /** Registers with the identity provider if it is not given a client id. */
  constructor(clientId?: string) {
    this.#client = clientId === undefined ? undefined : { client_id: clientId };
  }

  clientInformation = () => this.#client;
  saveClientInformation: NonNullable<OAuthClientProvider['saveClientInformation']> = (information) => {
    this.#client = information;
  };
  tokens = () => this.#tokens;
  saveTokens: OAuthClientProvider['saveTokens'] = (tokens) => {
    this.#tokens = tokens;
  };
  codeVerifier = () => this.#verifier;
  saveCodeVerifier = (verifier: string) => {
    this.#verifier = verifier;
  };
  discoveryState = () => this.#discovered;
  saveDiscoveryState: NonNullable<OAuthClientProvider['saveDiscoveryState']> = (state) => {
    this.#discovered = state;
  };
  redirectToAuthorization = (at: URL) => {
    this.visited.push(at);
  };
}

/** A browser that goes where it is sent; what it comes back to the host with. */
async function browsed(start: URL): Promise<URLSearchParams> {
  const cookies = new Map<string, string>();
  let at = start;
  for (let hop = 0; hop < MOST_HOPS; hop += 1) {
    const headers = { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
    const response = await fetch(at, { redirect: 'manual', headers });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null) throw new Error(`${at.href}: ${response.status} ${await response.text()}`);
    at = new URL(location, at);
    if (at.href.startsWith(REDIRECT)) return at.searchParams;
  }
  throw new Error(`Sent on and on: ${at.href}`);
}

async function connected(host: Host) {
  const client = new Client({ name: 'a test', version: '1.0.0' }, {});
  const transport = new StreamableHTTPClientTransport(url, { authProvider: host });
  await client.connect(transport);
  const scopesOf = (visit: number) => host.visited[visit]?.searchParams.get('scope')?.split(' ');
  return {
    client,
    scopesOf,
    list: () => client.callTool({ name: 'listOrders', arguments: {} }),
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    signIn: async () => transport.finishAuth(await browsed(host.visited.at(-1)!)),
  };
}

it.each([
  ['that registers', undefined],
  ['whose client id the user enters', ENTERED],
])('a host %s signs its user in where a tool asks for it', async (_, clientId) => {
  const host = new Host(clientId);
  const { client, list, names, scopesOf, signIn } = await connected(host);
  await expect(list()).rejects.toThrow(UnauthorizedError);
  expect(host.visited.map(({ searchParams }) => searchParams.get('resource'))).toEqual([url.href]);
  expect(scopesOf(0)).toEqual(['orders:read']);
  await signIn();
  expect((await list()).isError).toBeUndefined();
  expect(await names()).toContain('listOrders');
  expect(await names()).not.toContain('createProduct');
  await client.close();
});

it('a host asks for another scope where a tool lacks one', async () => {
  const host = new Host(ENTERED);
  const { client, list, names, scopesOf, signIn } = await connected(host);
  const delivery = { kind: 'PHYSICAL', weightGrams: 300 };
  const input = { sku: 'MUG-1', name: 'Mug', price: 900, currency: 'EUR', delivery };
  const create = () => client.callTool({ name: 'createProduct', arguments: { input } });
  await expect(list()).rejects.toThrow(UnauthorizedError);
  await signIn();
  await expect(create()).rejects.toThrow(UnauthorizedError);
  expect(scopesOf(1)).toEqual(['orders:read', WITHHELD]);
  await signIn();
  await expect(create()).rejects.toThrow(UnauthorizedError);
  granted.add(WITHHELD);
  await signIn();
  const [item] = (await create()).content;
  expect(item?.type === 'text' && JSON.parse(item.text)).toMatchObject({ sku: 'MUG-1' });
  expect(await names()).toContain('createProduct');
  await client.close();
});
