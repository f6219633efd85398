import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Peers } from '../../../../src/runtime/engine/events/peers.ts';
import { migrate } from '../../../../src/runtime/storage/migration/migrator.ts';
import { lockedPostgres } from '../../../../src/runtime/storage/postgres/postgres-migration.ts';
import { openPostgresStore } from '../../../../src/runtime/storage/postgres/postgres-store.ts';
import type { Store } from '../../../../src/runtime/storage/store.ts';
import { hasPostgresServer, PostgresServer } from '../../../faults/support/postgres-server.ts';
import { eventually } from '../../../support/eventually.ts';
import { type Json, librarian, newAuthor } from '../../../support/library.ts';
import { contractOf, type Service, startService } from '../../../support/service.ts';

const CHANGE = 'mutation ($id: ID!, $name: String!) { updateAuthor(id: $id, input: { name: $name }) { name } }';
const PEERS: Peers = {
  publish() {},
  announceMissedEvents() {},
  listen() {},
  follow: () => ({ heard: undefined, release() {} }),
  epochOf: () => 0,
  isConnected: true,
};

describe.skipIf(!hasPostgresServer)('reads by a replica of Postgres', () => {
  let primary: PostgresServer;
  let standby: PostgresServer;
  let service: Service;
  let store: Store;
  let author: Json;
  const logged: string[] = [];
  const note = (_fields: object, message: string): void => void logged.push(message);

  beforeAll(async () => {
    primary = await PostgresServer.start();
    standby = await primary.standby();
    service = await startService(
      'library',
      {
        name: 'Postgres with a replica',
        async open(resources) {
          await lockedPostgres(primary.url, (target) => migrate(target, { resources, handWritten: [] }));
          const log = { info: note, warn: note };
          store = await openPostgresStore({ url: primary.url, readUrl: standby.url, resources, connections: 5, log });
          return { store, close: async () => store.close() };
        },
      },
      {},
      { peers: PEERS },
    );
    author = await newAuthor(service);
  });
  afterAll(async () => {
    await service.close();
    await standby.close();
    await primary.close();
  });

  const serves = (isServing: boolean) => eventually(() => expect(store.replica!().isServing).toBe(isServing));
  beforeEach(() => serves(true));

  const url = () => `/v1/authors/${author.id}`;
  const rename = (name: string) => service.request('PATCH', url(), { as: librarian, body: { name } });
  const names = async (headers: Record<string, string> = {}): Promise<unknown[]> => {
    const one = await service.request('GET', url(), { headers });
    const list = await service.request('GET', '/v1/authors', { headers });
    const { data } = await service.graphql(`{ author(id: "${author.id}") { name } authors { nodes { name } } }`, {
      headers,
    });
    return [one.body.name, list.body.data[0].name, data.author.name, data.authors.nodes[0].name];
  };
  const four = (name: string) => [name, name, name, name];

  it('see each write that was answered before', async () => {
    const before = store.replica!().replica;
    for (let i = 0; i < 30; i++) {
      await rename(`Ada ${i}`);
      expect(await names()).toEqual(four(`Ada ${i}`));
    }
    await eventually(async () => {
      await service.request('GET', url());
      expect(store.replica!().replica).toBeGreaterThan(before);
    });
  });

  it('come from the primary when the replica lags, and from the replica when it has caught up', async () => {
    await standby.query('select pg_wal_replay_pause()');
    const { headers } = await rename('Grace');
    expect(await names()).toEqual(four('Grace'));
    expect(await names({ 'consistency-token': headers['consistency-token'] as string })).toEqual(four('Grace'));
    await serves(false);
    expect(logged.at(-1)).toBe('the replica is left out: reads go to the primary');
    await standby.query('select pg_wal_replay_resume()');
    await serves(true);
    await eventually(() => expect(logged.at(-1)).toBe('the replica serves reads'));
    expect(await names()).toEqual(four('Grace'));
  });

  it('come from the primary while the replica is down', async () => {
    await standby.crash();
    await rename('Edsger');
    expect(await names()).toEqual(four('Edsger'));
    await serves(false);
    await standby.start();
    await serves(true);
    expect(await names()).toEqual(four('Edsger'));
  });

  it('go on while the primary is down, with what this server has written, and are not kept', async () => {
    const { headers } = await rename('Barbara');
    expect(await names()).toEqual(four('Barbara'));
    await eventually(async () => {
      const [row] = await standby.query(`select name from authors where name = 'Barbara'`);
      expect(row).toEqual({ name: 'Barbara' });
    });
    await serves(true);
    await primary.crash();
    await eventually(async () => expect(await rename('Nobody')).toMatchObject({ status: 503 }));
    expect(await names()).toEqual(four('Barbara'));
    expect(await names({ 'consistency-token': headers['consistency-token'] as string })).toEqual(four('Barbara'));
    await primary.start();
    await eventually(async () => expect(await rename('Tony')).toMatchObject({ status: 200 }));
    expect(await names()).toEqual(four('Tony'));
    const changed = await service.graphql(CHANGE, { as: librarian, variables: { id: author.id, name: 'Leslie' } });
    expect(changed.errors).toBeUndefined();
    expect(await names()).toEqual(four('Leslie'));
  });

  it('refuses a server that is no standby of the primary', async () => {
    const { resources } = await contractOf('library');
    const opening = openPostgresStore({ url: primary.url, readUrl: primary.url, resources });
    await expect(opening).rejects.toThrow('it is not a standby');
  });
});
