import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../support/databases.ts';
import type { Reply, RequestOptions } from '../support/service.ts';
import { type Json, Shop } from '../support/storefront.ts';

/** A request of graphql-cop, and what tells whether the server is open to it. */
interface Check {
  readonly name: string;
  readonly method?: 'GET' | 'POST';
  readonly query?: Readonly<Record<string, string>>;
  readonly request?: RequestOptions;
  readonly isSafe: (reply: Reply) => void;
}

const times = (count: number, of: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => of(i)).join(' ');

const document = (query: string): RequestOptions => ({ body: { query } });
const form = (body: string): RequestOptions => ({
  body,
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
});

/** Refused as a whole, by this code: nothing of it was executed. */
const refusedBy =
  (code: string) =>
  ({ body }: Reply): void => {
    expect(body.data).toBeUndefined();
    expect(body.errors.map(({ extensions }: Json) => extensions.code)).toEqual(body.errors.map(() => code));
  };

const INTROSPECTION = '{ __schema { types { name fields { name } } } }';
const CIRCULAR = `{ __schema { types { fields { type { ${'fields { type { '.repeat(4)} name ${' } }'.repeat(4)} } } } } }`;

/** What graphql-cop asks of a server, each as it asks it. */
const CHECKS: readonly Check[] = [
  {
    name: 'alias overloading: a hundred and one',
    request: document(`{ ${times(101, (i) => `alias${i}: __typename`)} }`),
    isSafe: refusedBy('LIMIT_EXCEEDED'),
  },
  {
    name: 'batched queries: ten in a list',
    request: { body: Array.from({ length: 10 }, () => ({ query: '{ __typename }' })) },
    isSafe: refusedBy('MALFORMED_REQUEST'),
  },
  {
    name: 'directive overloading: more than the limit',
    request: document(`{ __typename ${'@aa'.repeat(51)} }`),
    isSafe: refusedBy('LIMIT_EXCEEDED'),
  },
  {
    name: 'directive overloading: as many unknown ones as the limit lets pass',
    request: document(`{ __typename ${'@aa'.repeat(50)} }`),
    isSafe: (reply) => {
      refusedBy('VALIDATION_FAILED')(reply);
      expect(reply.body.errors.length).toBeLessThanOrEqual(21);
    },
  },
  { name: 'circular introspection', request: document(CIRCULAR), isSafe: refusedBy('VALIDATION_FAILED') },
  {
    name: 'field duplication: five hundred times, in whose place there is one',
    request: document(`{ ${times(500, () => '__typename')} }`),
    isSafe: ({ body }) => expect(body).toEqual({ data: { __typename: 'Query' } }),
  },
  {
    name: 'field duplication: beyond the limit of tokens',
    request: document(`{ ${times(1_000, () => '__typename')} }`),
    isSafe: refusedBy('LIMIT_EXCEEDED'),
  },
  { name: 'introspection', request: document(INTROSPECTION), isSafe: refusedBy('VALIDATION_FAILED') },
  {
    name: 'introspection by GET',
    method: 'GET',
    query: { query: INTROSPECTION },
    isSafe: refusedBy('VALIDATION_FAILED'),
  },
  {
    name: 'names suggested for unknown fields',
    request: document('{ __schema { directive } produkts { nodes { id } } }'),
    isSafe: (reply) => {
      refusedBy('VALIDATION_FAILED')(reply);
      expect(reply.text).not.toMatch(/did you mean/i);
    },
  },
  {
    name: 'query by GET, which GraphQL over HTTP has',
    method: 'GET',
    query: { query: '{ __typename }' },
    isSafe: ({ body }) => expect(body).toEqual({ data: { __typename: 'Query' } }),
  },
  {
    name: 'mutation by GET',
    method: 'GET',
    query: { query: 'mutation { __typename }' },
    isSafe: refusedBy('METHOD_NOT_ALLOWED'),
  },
  {
    name: 'mutation in a form, which a page of any site may send',
    request: form(`query=${encodeURIComponent('mutation { __typename }')}`),
    isSafe: refusedBy('UNSUPPORTED_MEDIA_TYPE'),
  },
  {
    name: 'query in a form',
    request: form(`query=${encodeURIComponent('{ __typename }')}`),
    isSafe: refusedBy('UNSUPPORTED_MEDIA_TYPE'),
  },
  {
    name: 'mutation in a URL, sent by POST',
    query: { query: 'mutation { __typename }' },
    isSafe: ({ status, body }) => {
      expect(body.data).toBeUndefined();
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
    },
  },
  {
    name: 'trace mode',
    request: {
      ...document('{ __typename }'),
      headers: { 'x-apollo-tracing': '1', 'apollo-federation-include-trace': 'ftv1' },
    },
    isSafe: ({ body }) => expect(body).toEqual({ data: { __typename: 'Query' } }),
  },
  {
    name: 'details of an error that nobody foresaw',
    request: document('qwerty cop { abc }'),
    isSafe: (reply) => {
      refusedBy('MALFORMED_REQUEST')(reply);
      expect(Object.keys(reply.body.errors[0].extensions).sort()).toEqual(['code', 'requestId', 'status']);
      expect(reply.text).not.toMatch(/exception|stack|node_modules|\.[jt]s\b/i);
    },
  },
];

/** Where servers put a page for trying out GraphQL. */
const PAGES = ['/', '/graphql', '/graphiql', '/playground', '/console', '/graphql/console', '/v1/graphiql'];

/**
 * The checks of graphql-cop, which is in no registry, on the storefront as production serves it. On one database: what is
 * refused reaches none.
 */
describe('what graphql-cop asks', () => {
  let shop: Shop;

  beforeAll(async () => {
    shop = await Shop.open(databases[0]!, { graphql: { introspection: false, graphiql: false } });
  });
  afterAll(() => shop.close());

  it.each(CHECKS)('$name', async ({ method = 'POST', query, request = {}, isSafe }) => {
    const path = query ? `/graphql?${new URLSearchParams(query)}` : '/graphql';
    isSafe(await shop.service.request(method, path, request));
  });

  it.each(PAGES)('no page for trying out GraphQL at %s', async (path) => {
    const { status, headers } = await shop.service.request('GET', path, { headers: { accept: 'text/html' } });
    expect(status).toBe(path === '/graphql' ? 406 : 404);
    expect(headers['content-type']).toMatch(/json/);
  });
});
