import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { Peers } from '../../../src/runtime/engine/events/peers.ts';
import { administer } from '../../../src/tools/postgres-database.ts';
import { databases } from '../../support/databases.ts';
import { authorInput, type Json, librarian, newAuthor } from '../../support/library.ts';
import { SERVER } from '../../support/postgres.ts';
import { contractOf, type Service, startCompiled, startService } from '../../support/service.ts';

const CHANGE = 'mutation ($id: ID!, $name: String!) { updateAuthor(id: $id, input: { name: $name }) { name } }';
const NAMES = '{ authors { nodes { id name } } }';

describe.each(databases)('the token of a write on $name', (database) => {
  let service: Service;
  let author: Json;

  beforeAll(async () => {
    service = await startService('library', database);
    author = await newAuthor(service);
  });
  afterAll(() => service.close());

  const write = (method: string, url: string, body?: object) =>
    service.request(method, url, { as: librarian, ...(body && { body }) });

  it('is in the answer of each write that is done, and of no other request', async () => {
    const created = await write('POST', '/v1/authors', authorInput());
    const url = `/v1/authors/${created.body.id}`;
    const done = [created, await write('PATCH', url, { name: 'Grace' }), await write('DELETE', url)];
    for (const { headers } of done) expect(headers['consistency-token']).toMatch(/^[\w-]+$/);
    const others = [
      await service.request('GET', '/v1/authors'),
      await write('PATCH', url, { name: 'Nobody' }),
      await write('POST', '/v1/authors', {}),
    ];
    expect(others.map(({ status }) => status)).toEqual([200, 404, 400]);
    for (const { headers } of others) expect(headers['consistency-token']).toBeUndefined();
  });

  it('is an extension of a mutation’s result, and a header of its answer', async () => {
    const reply = await service.graphql(CHANGE, { as: librarian, variables: { id: author.id, name: 'Ada' } });
    const { consistencyToken } = reply.body.extensions;
    expect(consistencyToken).toMatch(/^[\w-]+$/);
    expect(reply.headers['consistency-token']).toBe(consistencyToken);
    const headers = { 'consistency-token': consistencyToken };
    for (const given of [{ headers }, { extensions: { consistencyToken } }]) {
      const { body } = await service.graphql(NAMES, given);
      expect(body).toEqual({ data: { authors: { nodes: [{ id: author.id, name: 'Ada' }] } } });
    }
    const list = await service.request('GET', '/v1/authors', { headers });
    expect(list).toMatchObject({ status: 200 });
  });

  it('does not tell what others have written, also where nothing is written', async () => {
    const url = `/v1/authors/${(await newAuthor(service)).id}`;
    const tokens: unknown[] = [];
    for (let i = 0; i < 6; i++) {
      const changed = await write('PATCH', url, { name: `Ada ${i}` });
      const reply = await service.graphql(CHANGE, { as: librarian, variables: { id: author.id, name: `Ada ${i}` } });
      tokens.push(changed.headers['consistency-token'], reply.body.extensions.consistencyToken);
      const headers = { 'idempotency-key': 'the-same-each-time' };
      const repeated = await service.request('POST', '/v1/authors', { as: librarian, body: authorInput(), headers });
      expect(repeated.status).toBe(201);
      tokens.push(repeated.headers['consistency-token']);
    }
    if (database.name === 'SQLite') return expect(new Set(tokens)).toEqual(new Set(['s0']));
    for (const token of tokens) expect(token).toMatch(/^s[\da-z]{13}$/);
    expect(new Set(tokens).size).toBe(tokens.length);
    expect(tokens).not.toEqual(tokens.toSorted());
  });

  it.each(['', 'x', 'p', 'p1.5', 'P1', 'p12345678901234', 'p1, p2'])(
    '%j is none: 400, over both protocols',
    async (token) => {
      const fault = { code: 'VALIDATION_FAILED', errors: [{ header: 'Consistency-Token' }] };
      const headers = { 'consistency-token': token };
      expect(await service.request('GET', '/v1/authors', { headers })).toMatchObject({ status: 400, body: fault });
      const strict = { accept: 'application/graphql-response+json' };
      for (const given of [
        { headers: { ...headers, ...strict } },
        { extensions: { consistencyToken: token }, headers: strict },
      ]) {
        const { status, errors } = await service.graphql(NAMES, given);
        expect({ status, errors }).toMatchObject({ status: 400, errors: [{ extensions: fault }] });
      }
    },
  );

  it('of another kind of database asks for nothing', async () => {
    for (const token of ['s0', 'p0', 's3w5e11264sgsf', 'p3w5e11264sgse'])
      expect(await service.request('GET', '/v1/authors', { headers: { 'consistency-token': token } })).toMatchObject({
        status: 200,
      });
  });

  it('is refused to nobody who would be refused without it', async () => {
    const headers = { 'consistency-token': '?' };
    expect(await service.request('POST', '/v1/authors', { body: {}, headers })).toMatchObject({ status: 401 });
  });
});

/** What the release before answers on Postgres: where its log ends. */
async function plainToken(): Promise<string> {
  const [row] = await administer(SERVER, `select pg_current_wal_flush_lsn() - '0/0' as position`);
  return `p${BigInt(row!['position'] as string).toString(36)}`;
}

/** Peers whose news never come, as if they were on their way all the time. */
const SLOW_NEWS: Peers = {
  publish() {},
  announceMissedEvents() {},
  listen() {},
  follow: () => ({ heard: undefined, release() {} }),
  epochOf: () => 0,
  isConnected: true,
};

describe.each(databases)('two instances on $name', (database) => {
  let instances: Service[];

  beforeAll(async () => {
    const contract = await contractOf('library');
    const { stores, close } = await database.share([contract.resources, contract.resources]);
    const open = (i: number) => ({
      name: database.name,
      open: async () => ({ store: stores[i]!, close: async () => (i === 0 ? close() : undefined) }),
    });
    instances = await Promise.all([0, 1].map((i) => startCompiled(contract, open(i), {}, { peers: SLOW_NEWS })));
  });
  afterAll(async () => {
    for (const instance of instances.toReversed()) await instance.close();
  });

  it('miss no own write in a list that the other has cached', async () => {
    const [one, other] = instances as [Service, Service];
    const { id } = await newAuthor(one);
    const seen = { with: 0, without: 0 };
    // SQLite's file tells of each change; on Postgres the other caches what it was asked, and hears of the change later.
    const rounds = database.name === 'Postgres' ? 300 : 10;
    for (let i = 0; i < rounds; i++) {
      const name = `Ada ${i}`;
      const over = i % 2 === 0 ? 'REST' : 'GraphQL';
      const changed =
        over === 'REST'
          ? await one.request('PATCH', `/v1/authors/${id}`, { as: librarian, body: { name } })
          : await one.graphql(CHANGE, { as: librarian, variables: { id, name } });
      const namesOf = async (headers: Record<string, string>): Promise<string> =>
        over === 'REST'
          ? (await other.request('GET', '/v1/authors', { headers })).text
          : (await other.graphql(NAMES, { headers })).text;
      if ((await namesOf({})).includes(`"${name}"`)) seen.without++;
      if (
        (await namesOf({ 'consistency-token': changed.headers['consistency-token'] as string })).includes(`"${name}"`)
      )
        seen.with++;
    }
    expect(seen.with).toBe(rounds);
    if (database.name === 'Postgres') expect(seen.without).toBeLessThan(rounds);
  });

  it('miss none that a token of the release before asks for', async () => {
    const [one, other] = instances as [Service, Service];
    const { id } = await newAuthor(one);
    for (let i = 0; i < 20; i++) {
      const name = `Barbara ${i}`;
      await one.request('PATCH', `/v1/authors/${id}`, { as: librarian, body: { name } });
      const headers = { 'consistency-token': database.name === 'SQLite' ? 's0' : await plainToken() };
      expect((await other.request('GET', '/v1/authors', { headers })).text).toContain(`"${name}"`);
    }
  });

  it('miss none over a socket that was opened with its token, in no operation', async () => {
    const [one, other] = instances as [Service, Service];
    const { id } = await newAuthor(one);
    const url = `ws://127.0.0.1:${await other.listen()}/graphql`;
    await other.graphql(NAMES);
    const { headers } = await one.request('PATCH', `/v1/authors/${id}`, { as: librarian, body: { name: 'Grace' } });
    const connectionParams = { consistencyToken: headers['consistency-token'] };
    const client = createClient({ url, webSocketImpl: WebSocket, retryAttempts: 0, connectionParams });
    for (let i = 0; i < 2; i++) {
      const { value } = await client.iterate({ query: NAMES }).next();
      expect(value).toMatchObject({ data: { authors: { nodes: expect.arrayContaining([{ id, name: 'Grace' }]) } } });
    }
    await client.dispose();
  });
});
