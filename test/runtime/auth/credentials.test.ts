import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeRest } from '../../../src/compiler/model/rest/describe-rest.ts';
import type { Operation, SecurityRequirement } from '../../../src/descriptor/document.ts';
import type { Claims, Principal } from '../../../src/runtime/auth/principal.ts';
import type { SecurityHandler } from '../../../src/runtime/auth/security-handler.ts';
import type { AnyRouteHandler } from '../../../src/runtime/rest/custom-handler.ts';
import { databases } from '../../support/databases.ts';
import { contractOf, type Service, startService } from '../../support/service.ts';

const principal = (subject: string, scopes: readonly string[]): Principal => ({
  subject,
  scopes: new Set(scopes),
  expiresAtMs: Number.POSITIVE_INFINITY,
});

/** Knows a caller by a header that holds its scopes. */
const byHeader =
  (name: string, claims: Claims = {}): SecurityHandler =>
  ({ headers }) => {
    const value = headers[name];
    return typeof value === 'string' ? { ...principal(name, value.split(' ')), claims } : undefined;
  };

/** The custom contract with another `security` of its operation, and a scheme more. */
async function serve(
  security: readonly SecurityRequirement[],
  more: Readonly<Record<string, SecurityHandler>> = {},
  quote: AnyRouteHandler = () => ({ status: 202 }),
): Promise<Service> {
  const contract = await contractOf('custom');
  const { document } = contract;
  const item = document.paths['/papers/{paperId}/quotes']!;
  const paths = {
    ...document.paths,
    '/papers/{paperId}/quotes': { ...item, post: { ...item.post, security } as Operation },
  };
  const door = { type: 'apiKey', in: 'header', name: 'door' } as const;
  const bearer = { type: 'http', scheme: 'bearer' } as const;
  const securitySchemes = { ...document.components!.securitySchemes, door, lock: door, bearer };
  const components = { ...document.components, securitySchemes };
  const changed = { ...document, paths, components };
  const handlers = {
    routes: { quote },
    security: { kioskKey: byHeader('kiosk'), door: byHeader('door'), ...more },
  };
  return startService('custom', databases[0]!, handlers, {
    contract: { ...contract, document: changed, rest: describeRest(changed) },
    // The changed security implies codes that the compiled document does not declare.
    checkResponses: false,
  });
}

const bearer = (...scopes: string[]) => ({ as: { sub: 'ada', scope: scopes.join(' ') } });
const headers = (values: Readonly<Record<string, string>>) => ({ headers: values });

const cases: readonly (readonly [
  string,
  readonly SecurityRequirement[],
  readonly (readonly [string, object, number])[],
])[] = [
  [
    'either a token with a scope or a key',
    [{ bearer: ['quotes:write'] }, { kioskKey: [] }],
    [
      ['nothing', {}, 401],
      ['a token without the scope', bearer('other'), 403],
      ['a token with the scope', bearer('quotes:write'), 202],
      ['a key', headers({ kiosk: '' }), 202],
      ['a token without the scope, and a key', { ...bearer('other'), ...headers({ kiosk: '' }) }, 202],
    ],
  ],
  [
    'two keys together',
    [{ kioskKey: [], door: [] }],
    [
      ['one of them', headers({ kiosk: '' }), 401],
      ['the other', headers({ door: '' }), 401],
      ['both', headers({ kiosk: '', door: '' }), 202],
    ],
  ],
  [
    'two keys, each with a scope of its own',
    [{ kioskKey: ['a'], door: ['b'] }],
    [
      ['the scopes the wrong way round', headers({ kiosk: 'b', door: 'a' }), 403],
      ['both scopes on one key', headers({ kiosk: 'a b', door: '' }), 403],
      ['a scope on each', headers({ kiosk: 'a', door: 'b' }), 202],
    ],
  ],
  [
    'one key or the other, each with a scope',
    [{ kioskKey: ['a'] }, { door: ['b'] }],
    [
      ["the other's scope", headers({ kiosk: 'b' }), 403],
      ["each the other's scope", headers({ kiosk: 'b', door: 'a' }), 403],
      ['a key with its scope', headers({ kiosk: '', door: 'b' }), 202],
    ],
  ],
  [
    'nothing, a token with a scope or a key',
    [{}, { bearer: ['quotes:write'] }, { kioskKey: [] }],
    [
      ['nothing', {}, 202],
      ['a token without the scope', bearer('other'), 202],
    ],
  ],
];

describe.each(cases)('an operation that asks for %s', (_, security, calls) => {
  let service: Service;
  let url: string;

  beforeAll(async () => {
    service = await serve(security);
    const paper = (await service.request('POST', '/v1/papers', { body: { title: 'News' } })).body;
    url = `/v1/papers/${paper.id}/quotes`;
  });
  afterAll(() => service.close());

  it.each(calls)('given %s', async (_name, caller, status) => {
    const reply = await service.request('POST', url, { body: { words: 5 }, ...caller });
    expect(reply.status).toBe(status);
  });
});

it('asks no further kind of credentials once an alternative is met', async () => {
  const service = await serve([{ kioskKey: [] }, { lock: [] }], {
    lock: () => {
      throw new Error('asked');
    },
  });
  const url = '/v1/papers/019bc0de-7c00-7000-8000-000000000001/quotes';
  expect((await service.request('POST', url, { body: { words: 5 }, headers: { kiosk: '' } })).status).toBe(202);
  await service.close();
});

it('keeps the claims of all credentials, the first before the others', async () => {
  let seen: Principal | undefined;
  const service = await serve(
    [{ bearer: [], door: [] }],
    { door: byHeader('door', { sub: 'the door', floor: 2, ['__proto__']: { scopes: 'all' } }) },
    (_: unknown, { caller }: { readonly caller: { readonly principal?: Principal } }) => {
      seen = caller.principal;
      return { status: 202 };
    },
  );
  const url = '/v1/papers/019bc0de-7c00-7000-8000-000000000001/quotes';
  const reply = await service.request('POST', url, { body: { words: 5 }, ...bearer('a'), ...headers({ door: 'b' }) });
  expect(reply.status).toBe(202);
  expect(seen).toMatchObject({ subject: 'ada', claims: { sub: 'ada', scope: 'a', floor: 2 } });
  expect(Object.getPrototypeOf(seen!.claims)).toBe(Object.prototype);
  await service.close();
});
