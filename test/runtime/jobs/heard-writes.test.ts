import { afterEach, describe, expect, it, vi } from 'vitest';
import type { JobContext } from '../../../src/runtime/engine/interface/jobs.ts';
import type { ResourceTypes } from '../../../src/runtime/engine/interface/resource-types.ts';
import type { AnyEventHandlers } from '../../../src/runtime/jobs/event-jobs.ts';
import type { JobRunner } from '../../../src/runtime/jobs/job-runner.ts';
import { migrateDatabase, openStore } from '../../../src/runtime/storage/database/index.ts';
import { PostgresTransaction } from '../../../src/runtime/storage/postgres/postgres-transaction.ts';
import type { AnyHandlers } from '../../../src/runtime/wiring.ts';
import { STATEMENT_TIMEOUT_MS } from '../../support/databases.ts';
import { eventually } from '../../support/eventually.ts';
import { execute, type Place, places, ask as rowsOf } from '../../support/places.ts';
import { type Reply, type Service, startService } from '../../support/service.ts';
import { walledDatabases } from '../../support/walled-databases.ts';

const BERLIN = '0199bd2f-7c00-7000-8000-0000000000b1';
const ada = { sub: 'ada', scope: '', claims: { app: { tenant: BERLIN } } };
const LIMITS = {
  databaseConnections: 5,
  statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  sqliteSynchronous: 'normal',
} as const;
const ROW = { code: 'E1', name: 'Lathe', state: 'IDLE' };

let service: Service;
let runner: JobRunner;
let query: (sql: string) => Promise<void>;
let rows: (sql: string) => Promise<unknown[][]>;
/** How many machines each handler has reached, all of which are the tenant's. */
let reached: number[] = [];
const heard: { readonly kind: string; readonly name: unknown; readonly version: unknown }[] = [];
const hears =
  (kind: string): NonNullable<AnyEventHandlers['created']> =>
  async ({ row, version }, context) => {
    heard.push({ kind, name: (row as { name?: string }).name, version });
    reached.push(await (context as JobContext<Record<'machines', ResourceTypes>>).store.machines.count());
  };

const onJobs = (jobs: JobRunner) => {
  runner = jobs;
};

async function start(place: Place, contract = 'workshop', given?: Record<string, AnyEventHandlers>): Promise<void> {
  heard.length = 0;
  const open = async (resources: Parameters<typeof openStore>[1]) => {
    const { location, drop } = await place.open();
    query = (sql) => execute(location, sql);
    rows = (sql) => rowsOf(location, sql);
    await migrateDatabase(location, { resources }, '/nonexistent');
    const store = await openStore(location, resources, LIMITS);
    const close = async () => {
      await store.close();
      await drop();
    };
    return { store, close };
  };
  const all = { created: hears('created'), updated: hears('updated'), deleted: hears('deleted') };
  const on = given ?? { machines: all, 'machines.notes': all };
  service = await startService(contract, { name: place.name, open }, { on } as unknown as AnyHandlers, { onJobs });
}
afterEach(() => service.close());

const ask = (method: string, path: string, body?: object, collection = '/machines') =>
  service.request(method, `/v1${collection}${path}`, {
    as: ada,
    ...(body && { body }),
    ...(method === 'PATCH' && { headers: { 'content-type': 'application/merge-patch+json' } }),
  });

describe.each(walledDatabases)('writes that code hears of on $name', (database) => {
  it('have an event each, with the tenant of the row or of those above', async () => {
    heard.length = 0;
    reached = [];
    const on = {
      machines: { created: hears('created'), updated: hears('updated') },
      'machines.notes': { created: hears('noted') },
    };
    service = await startService('workshop', database, { on } as unknown as AnyHandlers, { onJobs });
    const { id } = (await ask('POST', '', ROW)).body;
    expect((await ask('PATCH', `/${id}`, { name: 'Mill' })).status).toBe(200);
    expect((await ask('POST', '', { text: 'oiled' }, `/machines/${id}/notes`)).status).toBe(201);
    expect((await runner.runDue()).failed).toEqual([]);
    expect(heard.map(({ kind, name }) => `${kind} ${name}`).toSorted()).toEqual([
      ...['created Lathe', 'noted undefined', 'updated Mill'],
    ]);
    expect(reached).toEqual([1, 1, 1]);
  });
});

const NO_EVENTS = {
  sqlite: `create trigger never before insert on lockstep_job begin select json('never'); end`,
  postgres: 'alter table lockstep_outbox add constraint never check (false) not valid',
};

describe.each(places)('writes that code hears of on $name', (place) => {
  it('are committed with their events, or neither is', async () => {
    await start(place);
    const { id } = (await ask('POST', '', ROW)).body;
    await query(NO_EVENTS[place.kind]);
    expect((await ask('POST', '', { ...ROW, code: 'E2' })).status).toBe(500);
    expect((await ask('PATCH', `/${id}`, { name: 'Press' })).status).toBe(500);
    expect((await ask('DELETE', `/${id}`)).status).toBe(500);
    expect((await ask('GET', '')).body.data.map(({ name }: { name: string }) => name)).toEqual(['Lathe']);
  });
});

describe.each(places.filter(({ kind }) => kind === 'postgres'))('triggers of others on $name', (place) => {
  const trigger = (kind: string, change: string, table = 'machines') => `
    create function change() returns trigger language plpgsql as $$ begin ${change}; end $$;
    create trigger change before ${kind} on ${table} for each row execute function change()`;

  it.each(['insert', 'update', 'insert or update'])('change the rows of events before each %s', async (kind) => {
    await start(place);
    const first = await ask('POST', '', ROW);
    await query(trigger(kind, 'new.name := upper(new.name); return new'));
    const second = await ask('POST', '', { ...ROW, code: 'E2' });
    const [one, other] = [`/${first.body.id}`, `/${second.body.id}`];
    for (const name of ['Mill', 'Press'])
      for (const path of [one, other]) expect((await ask('PATCH', path, { name })).status).toBe(200);
    await runner.runDue();
    const [created, updated] = [kind.includes('insert'), kind.includes('update')];
    const expected = [
      { kind: 'created', name: 'Lathe', version: 1 },
      { kind: 'created', name: created ? 'LATHE' : 'Lathe', version: 1 },
      ...['Mill', 'Press'].flatMap((name, i) =>
        [1, 2].map(() => ({ kind: 'updated', name: updated ? name.toUpperCase() : name, version: i + 2 })),
      ),
    ];
    expect(heard.toSorted(byVersion)).toEqual(expected);
  });

  it('change the rows of events of a batch that is written together', async () => {
    const names: unknown[] = [];
    await start(place, 'wares', { wares: { created: ({ row }) => names.push((row as { name: string }).name) } });
    await query(trigger('insert', 'new.name := upper(new.name); return new', 'wares'));
    const as = { sub: 'ann', scope: 'wares:read wares:write', claims: { tenant: 'a' } };
    const items = ['Lamp', 'Bulb'].map((name) => ({ create: { input: { code: name, name, state: 'NEW', price: 1 } } }));
    const { body } = await service.request('POST', '/v1/wares/batch', { as, body: { items } });
    expect(body.data.map(({ status }: Reply) => status)).toEqual([201, 201]);
    await runner.runDue();
    expect(names.toSorted()).toEqual(['BULB', 'LAMP']);
  });

  it('leave out rows, of which there is no event', async () => {
    await start(place);
    await query(trigger('insert', 'return null'));
    await ask('POST', '', ROW);
    await runner.runDue();
    expect(heard).toEqual([]);
  });
});

const LOCKED = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";

describe.each(places.filter(({ kind }) => kind === 'postgres'))('rows below one that is deleted on $name', (place) => {
  it.each([
    ['/standards', { name: 'ISO' }, () => '/machines', (standardId: string) => ({ ...ROW, standardId }), []],
    ['/machines', ROW, (id: string) => `/machines/${id}/notes`, () => ({ text: 'oiled' }), ['deleted']],
  ] as const)('cannot come behind the list of those in %s', async (above, row, below, input, expected) => {
    await start(place);
    const { id } = (await ask('POST', '', row, above)).body;
    await runner.runDue();
    heard.length = 0;
    const isHeldUp = async (): Promise<boolean> => (await rows(LOCKED)).length > 0;
    let reply: Reply | undefined;
    let writing: Promise<unknown> | undefined;
    const { delete: last } = PostgresTransaction.prototype;
    const spy = vi.spyOn(PostgresTransaction.prototype, 'delete').mockImplementationOnce(async function (
      this: PostgresTransaction,
      ...args
    ) {
      writing = ask('POST', '', input(id), below(id)).then((answer) => {
        reply = answer;
      });
      await eventually(async () => expect(reply !== undefined || (await isHeldUp())).toBe(true));
      return last.apply(this, args);
    });
    expect((await ask('DELETE', `/${id}`, undefined, above)).status).toBe(204);
    await writing;
    await runner.runDue();
    spy.mockRestore();
    expect(reply?.status).toBe(422);
    expect(heard.map(({ kind }) => kind)).toEqual(expected);
  });
});

const byVersion = (one: (typeof heard)[number], other: (typeof heard)[number]): number =>
  Number(one.version) - Number(other.version);
