import { createClient } from 'graphql-ws';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { createRowCodec } from '../../../../src/runtime/engine/resource/row-codec.ts';
import type { JobRunner } from '../../../../src/runtime/jobs/index.ts';
import { readConfig } from '../../../../src/runtime/settings/config.ts';
import { openStore } from '../../../../src/runtime/storage/database/database.ts';
import { type NewEvent, RowAltered } from '../../../../src/runtime/storage/jobs.ts';
import { migrate } from '../../../../src/runtime/storage/migration/migrator.ts';
import { Positions } from '../../../../src/runtime/storage/postgres/positions.ts';
import { PostgresConnection } from '../../../../src/runtime/storage/postgres/postgres-connection.ts';
import { lockedPostgres } from '../../../../src/runtime/storage/postgres/postgres-migration.ts';
import { openPostgresStore, type PostgresOptions } from '../../../../src/runtime/storage/postgres/postgres-store.ts';
import type { Row, Store } from '../../../../src/runtime/storage/store.ts';
import type { AnyHandlers } from '../../../../src/runtime/wiring.ts';
import { databases } from '../../../support/databases.ts';
import { property, resource } from '../../../support/descriptors.ts';
import { eventually } from '../../../support/eventually.ts';
import { authorInput, librarian } from '../../../support/library.ts';
import { borrowEmptyDatabase, hasPostgres } from '../../../support/postgres.ts';
import { startService } from '../../../support/service.ts';
import { walledDatabases } from '../../../support/walled-databases.ts';
import { north } from '../../../support/workshop.ts';

const things = { ...resource('things', 'Thing', [property('name')]), unique: [['name']] };
const others = resource('others', 'Other', [property('name')]);
const codec = createRowCodec(things.properties);
const time = '2026-01-01T00:00:00.000Z';
let made = 0;
const thing = (name = `thing ${made + 1}`): Row => {
  const id = `00000000-0000-7000-8000-${String(++made).padStart(12, '0')}`;
  return codec.toRow({ id, version: 1, createdAt: time, updatedAt: time, name });
};
const NAME = things.properties.findIndex(({ name }) => name === 'name');

const numbered = (count: number, name = 'row') => Array.from({ length: count }, (_, i) => `${name} ${i}`);

/** The sizes of the groups that are sent from now on. */
function spiedGroups(): number[] {
  const sizes: number[] = [];
  const { together } = PostgresConnection.prototype;
  vi.spyOn(PostgresConnection.prototype, 'together').mockImplementation(function (this: PostgresConnection, inserts) {
    sizes.push(inserts.length);
    return together.call(this, inserts);
  });
  return sizes;
}

afterEach(() => {
  vi.restoreAllMocks();
});

interface InsertOptions {
  readonly name?: string;
  readonly turn?: string;
  readonly onPosition?: (position: bigint) => void;
  readonly event?: (() => NewEvent) | undefined;
}

/** An event whose row is a name. */
const heard = (row: string) => (): NewEvent => ({
  ...({ resource: 'things', rowId: row, tenant: '', kind: 'created', version: '1', row, before: null } as const),
  ...{ actor: null, depth: 1, requestId: 'r1' },
});

/** Rows that wait for each other at the trigger: two of them have arrived, or `arrived` is set to two. */
const MEETING = `
  create sequence arrived;
  create function meet() returns trigger language plpgsql as $$ begin
    if new.name like 'meet%' then
      perform nextval('arrived');
      while (select not is_called or last_value < 2 from arrived) loop perform pg_sleep(0.005); end loop;
    end if;
    return new;
  end $$;
  create trigger meet before insert on things for each row execute function meet()`;
/** Stores the position in the log at the end of a transaction, before its commit is written. */
const ENDS = `
  create sequence ended;
  create function end_here() returns trigger language plpgsql as $$ begin
    perform setval('ended', (pg_current_wal_insert_lsn() - '0/0')::bigint);
    return null;
  end $$;
  create constraint trigger ends after insert on things deferrable initially deferred
    for each row execute function end_here()`;

describe.skipIf(!hasPostgres).each([
  { name: 'creates that arrive in one turn of the event loop', areWaiting: false },
  { name: 'creates that wait for a connection to Postgres', areWaiting: true },
])('$name', ({ areWaiting }) => {
  let url: string;
  let giveBack: () => Promise<unknown>;
  let client: pg.Client;
  let holder: pg.Client | undefined;
  let stores: Store[];
  /** The sizes of the groups that were sent. */
  let groups: number[];

  beforeEach(async () => {
    ({ url, giveBack } = await borrowEmptyDatabase());
    await lockedPostgres(url, (target) => migrate(target, { resources: [things, others], handWritten: [] }));
    client = new pg.Client(url);
    await client.connect();
    stores = [];
    groups = spiedGroups();
  });
  afterEach(async () => {
    await holder?.end();
    holder = undefined;
    await client.end();
    for (const store of stores) await store.close();
    await giveBack();
  });

  /** With one connection that runs transactions; the inserts are prepared on each. */
  const opened = async (options: Partial<PostgresOptions> = {}): Promise<Store> => {
    const resources = [things, others];
    const store = await openPostgresStore({ url, resources, connections: 2, statementTimeoutMs: 60_000, ...options });
    stores.push(store);
    const writers = store.connections!().idle;
    for (const name of ['things', 'others'])
      await Promise.all(numbered(writers).map(() => transaction(store, { name })));
    await client.query('delete from things');
    return store;
  };
  const held = async (): Promise<pg.Client> => {
    holder = new pg.Client(url);
    await holder.connect();
    return holder;
  };
  const insert = (
    store: Store,
    row: Row,
    { name = 'things', turn = '', onPosition = (_: bigint) => {}, event }: InsertOptions = {},
  ) =>
    store.transaction(
      (transaction) => transaction.insert(name, row, { event }),
      'single',
      { onCommit: () => undefined, onPosition },
      undefined,
      { turn },
    );
  const transaction = (store: Store, { name = 'others', turn = '' } = {}) =>
    store.transaction((one) => one.insert(name, thing()), 'locking', undefined, undefined, { turn });
  /** Transactions that use the connections while the creates come. */
  const busy = (store: Store, connections = 1) =>
    areWaiting ? Promise.all(numbered(connections).map(() => transaction(store))) : undefined;
  const together = async (
    store: Store,
    names: readonly string[],
    eventOf = (_: string): InsertOptions['event'] => undefined,
  ) => {
    const first = busy(store);
    const settled = await Promise.allSettled(names.map((name) => insert(store, thing(name), { event: eventOf(name) })));
    await first;
    return settled;
  };
  const kindOf = (settled: PromiseSettledResult<Row>) =>
    settled.status === 'fulfilled' ? 'done' : (settled.reason.failure?.kind ?? settled.reason.message);
  /** The names of the rows that each transaction has written, in their order. */
  const committed = async (): Promise<string[][]> => {
    const { rows } = await client.query(`
      select array_agg(name order by id) as names from things group by xmin::text::bigint order by xmin::text::bigint`);
    return rows.map(({ names }) => names);
  };
  const count = async (): Promise<number> => (await committed()).flat().length;

  it('share a transaction, eight at most, and each gets its own row', async () => {
    const store = await opened();
    const names = numbered(18);
    const settled = await together(store, names);
    expect(groups).toEqual([8, 8, 2]);
    expect(await committed()).toEqual([names.slice(0, 8), names.slice(8, 16), names.slice(16)]);
    expect(settled.map((one) => (one as PromiseFulfilledResult<Row>).value[NAME])).toEqual(names);
  });

  it.skipIf(areWaiting)('run alone if no other arrives', async () => {
    const store = await opened();
    for (const name of numbered(3)) await insert(store, thing(name));
    expect(groups).toEqual([]);
    expect(await committed()).toHaveLength(3);
  });

  it.skipIf(areWaiting)('leave the other free connections alone', async () => {
    const store = await opened({ connections: 5 });
    const waiting = numbered(8).map((name) => insert(store, thing(name)));
    await new Promise(setImmediate);
    expect(store.connections!()).toMatchObject({ used: 1, idle: 2, waiting: 0 });
    await Promise.all(waiting);
    expect(groups).toEqual([8]);
  });

  it('run alone where the setting says so', async () => {
    const limits = { DATABASE_CONNECTIONS: '2', DATABASE_TIMEOUT_MS: '60000' };
    const settings = readConfig({ DATABASE_URL: url, ...limits, DATABASE_GROUP_INSERTS: 'false' });
    const store = await openStore(settings.database, [things, others], settings);
    stores.push(store);
    await insert(store, thing('prepared'));
    await together(store, numbered(9));
    expect(groups).toEqual([]);
    expect(await committed()).toHaveLength(10);
  });

  it('are gathered from callers in turn', async () => {
    const store = await opened();
    const [a, b] = [numbered(20, 'a'), numbered(2, 'b')];
    const first = busy(store);
    await Promise.all([
      first,
      ...a.map((name) => insert(store, thing(name), { turn: 'a' })),
      ...b.map((name) => insert(store, thing(name), { turn: 'b' })),
    ]);
    expect(groups).toEqual([8, 8, 6]);
    expect((await committed()).at(0)?.toSorted()).toEqual([...a.slice(0, 6), ...b].toSorted());
  });

  it.runIf(areWaiting)('do not overtake a transaction of their caller, nor delay that of another', async () => {
    const store = await opened();
    const order: string[] = [];
    const noted = async (name: string, work: Promise<unknown>) => {
      await work;
      order.push(name);
    };
    const single = (turn: string) => insert(store, thing(), { turn });
    await Promise.all([
      busy(store),
      noted('a1', single('a')),
      noted('a transaction', transaction(store, { turn: 'a' })),
      ...numbered(9, 'late').map((name) => noted(name, single('a'))),
      noted('b transaction', transaction(store, { turn: 'b' })),
      noted('c1', single('c')),
    ]);
    // The second caller's transaction keeps its turn behind the group of the first and the third.
    expect(groups).toEqual([2, 8]);
    expect(order.slice(0, 4)).toEqual(['a1', 'c1', 'b transaction', 'a transaction']);
  });

  it('are undone together if one is refused, and tried each by itself', async () => {
    const store = await opened();
    await insert(store, thing('taken'));
    const names = [...numbered(5), 'taken', ...numbered(2, 'last')];
    const settled = await together(store, names);
    expect(groups).toEqual([8]);
    expect(settled.map(kindOf)).toEqual(names.map((name) => (name === 'taken' ? 'unique' : 'done')));
    expect(await committed()).toEqual(['taken', ...names.filter((name) => name !== 'taken')].map((name) => [name]));
  });

  it('that code hears of share a transaction, and have one event each, also if one is refused', async () => {
    const store = await opened();
    const rows = () => client.query('select row from lockstep_outbox order by row').then((found) => found.rows);
    // Prepared.
    await insert(store, thing('taken'), { event: heard('taken') });
    const names = numbered(8);
    const settled = await together(store, names, heard);
    expect(settled.map((one) => (one as PromiseFulfilledResult<Row>).value[NAME])).toEqual(names);
    expect(await committed()).toEqual([['taken'], names]);
    const more = [...numbered(6, 'more'), 'taken', 'others'];
    const refused = await together(store, more, heard);
    expect(groups).toEqual([8, 8]);
    expect(refused.map(kindOf)).toEqual(more.map((name) => (name === 'taken' ? 'unique' : 'done')));
    const all = [...names, ...more];
    expect(await rows()).toEqual(all.toSorted().map((row) => ({ row })));
  });

  it('run again in a transaction if a trigger changes a row of which there is an event', async () => {
    await client.query(`
      create function shout() returns trigger language plpgsql as $$ begin
        if new.name = 'quiet' then new.name := 'LOUD'; end if;
        return new;
      end $$;
      create trigger shout before insert on things for each row execute function shout()`);
    const store = await opened();
    await insert(store, thing('first'), { event: heard('first') });
    const names = ['quiet', ...numbered(7)];
    const settled = await together(store, names, heard);
    expect(groups).toEqual([8]);
    expect(settled.map((one) => one.status)).toEqual(['rejected', ...numbered(7).map(() => 'fulfilled')]);
    expect((settled[0] as PromiseRejectedResult).reason).toBeInstanceOf(RowAltered);
    expect(await committed()).toEqual(['first', ...numbered(7)].map((name) => [name]));
  });

  it('are each there once with every fifth refused', async () => {
    const store = await opened({ connections: 5 });
    const names = Array.from({ length: 400 }, (_, i) => (i % 5 === 4 ? 'row 0' : `row ${i}`));
    await insert(store, thing('row 0'));
    const settled = await together(store, names.slice(1));
    expect(groups.length).toBeGreaterThan(10);
    expect(settled.map(kindOf)).toEqual(names.slice(1).map((name) => (name === 'row 0' ? 'unique' : 'done')));
    expect((await committed()).flat().toSorted()).toEqual([...new Set(names)].toSorted());
  });

  it('are tried each by itself if a constraint fails at the end of the transaction', async () => {
    await client.query(`
      create function refuse() returns trigger language plpgsql as $$ begin
        if new.name = 'bad' then raise exception 'never' using errcode = 'unique_violation'; end if;
        return null;
      end $$;
      create constraint trigger refuse after insert on things deferrable initially deferred
        for each row execute function refuse()`);
    const store = await opened();
    const names = ['bad', ...numbered(7)];
    const settled = await together(store, names);
    expect(groups).toEqual([8]);
    expect(settled.map(kindOf)).toEqual(['unique', ...numbered(7).map(() => 'done')]);
    expect(await committed()).toEqual(numbered(7).map((name) => [name]));
  });

  it('part when one waits for a lock, and the table is not grouped for a while', async () => {
    // Far beyond the test: only the end of the wait for the lock lets the others through.
    const store = await opened({ connections: 5, statementTimeoutMs: 3_600_000 });
    const holder = await held();
    await holder.query(`begin; insert into things (id, version, created_at, updated_at, name)
      values (gen_random_uuid(), 1, now(), now(), 'held')`);
    let isHeldDone = false;
    const begun = busy(store, 3);
    const names = numbered(7);
    const all = names.map((name) => insert(store, thing(name)));
    const late = insert(store, thing('held')).then(() => {
      isHeldDone = true;
    });
    await Promise.all([begun, ...all]);
    expect(groups).toEqual([8]);
    expect(isHeldDone).toBe(false);
    expect(await committed()).toEqual(expect.arrayContaining(names.map((name) => [name])));
    await holder.query('rollback');
    await late;
    expect(await count()).toBe(8);
    await together(store, numbered(20, 'later'));
    expect(groups).toEqual([8]);
    expect(await committed()).toHaveLength(28);
  });

  it('leave their connection to other tables if the whole table is locked', async () => {
    const store = await opened({ connections: 4 });
    const holder = await held();
    await holder.query('begin; lock table things in access exclusive mode');
    const begun = busy(store, 2);
    const all = Promise.allSettled(numbered(16).map((name) => insert(store, thing(name))));
    await begun;
    for (let i = 0; i < 5; i++) await insert(store, thing(), { name: 'others' });
    expect(groups.length).toBeGreaterThan(0);
    await eventually(() => expect(store.connections!()).toMatchObject({ used: 1, waiting: 15, locked: 1 }));
    await holder.query('rollback');
    expect((await all).map(kindOf)).toEqual(numbered(16).map(() => 'done'));
    expect(await count()).toBe(16);
  });

  it('are tried each by itself if the statement of one takes too long', async () => {
    await client.query(`
      create function last() returns trigger language plpgsql as $$ begin
        if new.name = 'slow' then perform pg_sleep(600); end if;
        return new;
      end $$;
      create trigger slow before insert on things for each row execute function last()`);
    const store = await opened({ connections: 5, statementTimeoutMs: 2_000 });
    const begun = busy(store, 3);
    const names = [...numbered(7), 'slow'];
    const settled = await Promise.allSettled(names.map((name) => insert(store, thing(name))));
    await begun;
    expect(groups).toEqual([8]);
    expect(settled.map(kindOf)).toEqual([...numbered(7).map(() => 'done'), 'unavailable']);
    expect(await count()).toBe(7);
  });

  it('of two servers that wait for each other are each there once, and one server stops grouping', async () => {
    const { database } = client;
    await client.query(`alter database "${database}" set deadlock_timeout = '10ms'`);
    await client.query(MEETING);
    const [one, other] = [await opened(), await opened()];
    const settled = await Promise.all([
      together(one, ['first', 'meet 1', 'second']),
      together(other, ['second', 'meet 2', 'first']),
    ]);
    expect(groups).toEqual([3, 3]);
    const [[a1, met, b1], [b2, metToo, a2]] = settled.map((all) => all.map(kindOf)) as [string[], string[]];
    expect([met, metToo]).toEqual(['done', 'done']);
    for (const both of [
      [a1, a2],
      [b1, b2],
    ])
      expect(both.toSorted()).toEqual(['done', 'unique']);
    expect((await committed()).flat().toSorted()).toEqual(['first', 'meet 1', 'meet 2', 'second']);
    groups.length = 0;
    await together(one, numbered(8, 'one'));
    await together(other, numbered(8, 'other'));
    expect(groups).toEqual([8]);
    await client.query(`alter database "${database}" reset deadlock_timeout`);
  });

  it('are all without a known outcome if their connection is lost', async () => {
    await client.query(MEETING);
    const store = await opened();
    const waiting = together(store, [...numbered(4), 'meet', ...numbered(3, 'last')]);
    await eventually(async () => {
      const { rows } = await client.query('select is_called from arrived');
      expect(rows[0].is_called).toBe(true);
    });
    await client.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query like 'insert into "things"%' and state = 'active'`);
    expect((await waiting).map(kindOf)).toEqual(Array.from({ length: 8 }, () => 'unavailable'));
    expect(groups).toEqual([8]);
    expect(await committed()).toEqual([]);
    await eventually(() => insert(store, thing('after')));
    expect(await committed()).toEqual([['after']]);
  });

  it.each([
    ['the group', false],
    ['what came through of a group that was refused', true],
  ])('get a position behind the commit of %s', async (_, isRefused) => {
    const store = await opened();
    await insert(store, thing('taken'));
    await client.query(ENDS);
    const positions: bigint[] = [];
    const first = busy(store);
    const names = isRefused ? [...numbered(7), 'taken'] : numbered(8);
    const onPosition = (position: bigint) => void positions.push(position);
    const settled = await Promise.allSettled(names.map((name) => insert(store, thing(name), { onPosition })));
    await first;
    expect(groups).toEqual([8]);
    expect(settled.map(kindOf)).toEqual(names.map((name) => (name === 'taken' ? 'unique' : 'done')));
    const { rows } = await client.query('select last_value from ended');
    expect(positions).toHaveLength(isRefused ? 7 : 8);
    for (const position of positions) expect(position).toBeGreaterThan(BigInt(rows[0].last_value));
  });

  it.skipIf(areWaiting)(
    'that run alone beside others get a position behind their commit, which is sent along',
    async () => {
      const store = await opened({ connections: 5 });
      await client.query(ENDS);
      const later = vi.spyOn(Positions.prototype, 'now');
      const positions: bigint[] = [];
      const holder = store.transaction((one) =>
        eventually(() => expect(positions).toHaveLength(1)).then(() => one.claim('')),
      );
      await insert(store, thing(), { onPosition: (position) => void positions.push(position) });
      const { rows } = await client.query('select last_value from ended');
      expect(positions[0]).toBeGreaterThan(BigInt(rows[0].last_value));
      expect(later).not.toHaveBeenCalled();
      await holder;
    },
  );

  it('that have read something before keep that connection', async () => {
    const store = await opened();
    const parents = await Promise.all(numbered(4).map((name) => insert(store, thing(name), { name: 'others' })));
    const below = (id: string, i: number) =>
      store.transaction(async (transaction) => {
        await transaction.unlocked.get('others', id);
        return transaction.insert('things', thing(`below ${i}`));
      }, 'single');
    await Promise.all(parents.map(([id], i) => below(id as string, i)));
    expect(await committed()).toHaveLength(4);
  });

  it('that the database counts, that change a row, or that are a transaction run alone', async () => {
    const counted = resource('counted', 'Counted', [property('name')]);
    const id = property('id', { type: 'integer', origin: 'managed' });
    const numbers = { ...counted, properties: [id, ...counted.properties.slice(1)] };
    await lockedPostgres(url, (target) => migrate(target, { resources: [things, others, numbers], handWritten: [] }));
    const store = await opened({ resources: [things, others, numbers] });
    const nobody = codec.toRow({ id: null, version: 1, createdAt: time, updatedAt: time, name: 'counted' });
    const names = numbered(9);
    const change = (row: Row) => store.transaction((one) => one.update('things', row, ['name']), 'single');
    const work = [
      names.map(() => insert(store, nobody, { name: 'counted' })),
      names.map(() => transaction(store, { name: 'things' })),
    ];
    const [counts, rows] = await Promise.all(work.map((all) => Promise.all(all)));
    expect(counts?.map(([value]) => value)).toEqual(names.map((_, i) => i + 1));
    await Promise.all((rows ?? []).map((row) => change(row.with(NAME, `${row[NAME]} changed`))));
    expect(groups).toEqual([]);
    expect(await committed()).toHaveLength(9);
  });
});

describe.each(walledDatabases.filter(({ name }) => name.startsWith('Postgres')))('creates on $name', (database) => {
  it('share a transaction where nothing else separates tenants', async () => {
    const sizes = spiedGroups();
    const service = await startService('workshop', database);
    const create = (i: number) =>
      service.request('POST', '/v1/workers', {
        as: north,
        body: { name: `Worker ${i}`, email: `w${i}@example.org`, retired: false },
      });
    const replies = await Promise.all(numbered(60).map((_, i) => create(i)));
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 201));
    expect(sizes.length > 0).toBe(database.name === 'Postgres');
    await service.close();
  });
});

describe.skipIf(!hasPostgres)('a service whose creates share transactions', () => {
  it('answers each over both protocols with its own row and a token, and publishes it once, also to code', async () => {
    const sizes = spiedGroups();
    const handled: string[] = [];
    const on = {
      authors: { created: ({ row }: { row: { id: string; name: string } }) => handled.push(`${row.id} ${row.name}`) },
    };
    let runner: JobRunner | undefined;
    const service = await startService(
      'library',
      databases.find(({ name }) => name === 'Postgres')!,
      { on } as unknown as AnyHandlers,
      {
        onJobs: (jobs) => {
          runner = jobs;
        },
      },
    );
    const port = await service.listen();
    const socket = createClient({
      url: `ws://127.0.0.1:${port}/graphql`,
      webSocketImpl: WebSocket,
      retryAttempts: 0,
      connectionParams: {},
    });
    const heard: string[] = [];
    const hearing = (async () => {
      for await (const { data } of socket.iterate({ query: 'subscription { authorCreated { id name } }' })) {
        const { id, name } = (data as { authorCreated: { id: string; name: string } }).authorCreated;
        heard.push(`${id} ${name}`);
        if (name === 'last') return;
      }
    })();
    const create = async (name: string, i: number) => {
      const input = authorInput({ name });
      if (i % 2 === 0) return service.request('POST', '/v1/authors', { as: librarian, body: input });
      const document = 'mutation ($input: AuthorInput!) { createAuthor(input: $input) { id name } }';
      const reply = await service.graphql(document, { as: librarian, variables: { input } });
      return { ...reply, body: reply.data.createAuthor };
    };
    // A create that nobody hears of yet: subscriptions start when they are ready.
    await eventually(async () => {
      await create('first', 0);
      expect(heard.length).toBeGreaterThan(0);
    });
    const names = numbered(100, 'author');
    const replies = await Promise.all(names.map(create));
    await create('last', 0);
    await hearing;
    expect(sizes.length).toBeGreaterThan(0);
    expect(replies.map(({ body }) => body.name)).toEqual(names);
    for (const { headers } of replies) expect(headers['consistency-token']).toMatch(/^s[\da-z]{13}$/);
    await runner?.runDue();
    // Of those before the subscription has begun, it hears none.
    const sinceFirst = (all: readonly string[]) => all.filter((one) => !one.endsWith(' first')).toSorted();
    expect(sinceFirst(handled)).toEqual(sinceFirst(heard));
    const published = heard.filter((one) => !/first|last/.test(one));
    expect(published.toSorted()).toEqual(replies.map(({ body: { id, name } }) => `${id} ${name}`).toSorted());
    for (const { body } of replies.slice(0, 5))
      expect((await service.request('GET', `/v1/authors/${body.id}`)).body.name).toBe(body.name);
    await service.close();
  });
});
