import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ResourceDescriptor } from '../../../src/descriptor/resource.ts';
import { copyRows } from '../../../src/runtime/storage/database/copy.ts';
import { admitServer, migrateDatabase, openStore } from '../../../src/runtime/storage/database/database.ts';
import type { JobEnd, NewEvent, NewJob } from '../../../src/runtime/storage/jobs.ts';
import type { Store } from '../../../src/runtime/storage/store.ts';
import { administer, makeDatabaseOn } from '../../../src/tools/postgres-database.ts';
import type { TestDatabase } from '../../support/databases.ts';
import { withFolder } from '../../support/folder.ts';
import { hasPostgres, makeDatabase, SERVER } from '../../support/postgres.ts';
import { layoutDatabases } from '../../support/walled-databases.ts';
import { workshop } from '../../support/workshop.ts';

const T = Date.parse('2026-01-01T00:00:00Z');
const common = { tenant: 'berlin', requestId: 'r1', depth: 1 };
const sent = (name: string, given: Partial<NewJob> = {}): NewJob => ({
  ...{ ...common, name, key: null, input: '{"a":"ü"}', subject: null, runAt: T },
  ...given,
});
const event = (version: number): NewEvent => ({
  ...{ ...common, resource: 'machines', rowId: '"7"', kind: 'updated', version: String(version) },
  ...{ row: '{"name":"é"}', before: '{"name":null}', actor: version > 1 ? 'a"da' : null, now: T },
});
const names = ['greet', 'bill', 'on:machines updated'];
const claim = (store: Store) => store.jobs.claim({ names, limit: 999, isThorough: true }, Date.now() + 3_600_000);

let resources: readonly ResourceDescriptor[] = [];
beforeAll(async () => {
  ({ resources } = await workshop());
});

/** Each database is copied from, and into, once. */
const pairs = layoutDatabases.map((from, i) => {
  const to = layoutDatabases[(i + 1) % layoutDatabases.length]!;
  return { from, to, name: `${from.name} to ${to.name}` };
});

describe.each(pairs)('jobs copied from $name', ({ from, to }) => {
  let source: TestDatabase;
  let target: TestDatabase;
  let last: bigint;
  beforeAll(async () => {
    [source, target] = [await from.open(resources), await to.open(resources)];
    const { store } = source;
    const send = (job: NewJob) => store.transaction(({ jobs }) => jobs.send(job, false, T), 'serial');
    const ended = async (job: NewJob, end: JobEnd) => {
      await send(job);
      const [taken] = await store.jobs.claim({ names: [job.name], limit: 1, isThorough: false }, T);
      if (end.kind !== 'back') await store.jobs.end([{ ...taken!, end }], T);
    };
    await ended(sent('bill', { subject: 'ada' }), { kind: 'dead', error: 'no' });
    await ended(sent('greet', { key: 'k', input: '"runs"' }), { kind: 'back' });
    for (let i = 0; i < 205; i++) await send(sent('bill', { key: `k${i}`, input: `${i}` }));
    await ended(sent('greet', { input: '"done"' }), { kind: 'done' });
    last = BigInt((await store.jobs.list({})).at(-1)!.id) + 1n;
    await store.transaction(({ jobs }) => jobs.emit(() => [event(1), event(2)]), 'serial');
    await store.jobs.tick({ schedule: 'nightly', last: undefined, at: T, sends: undefined }, T);
    await copyRows(store, target.store, resources);
  });
  afterAll(async () => {
    await source.close();
    await target.close();
  });

  it('are those of the source, by their ids, held, and what ran has not begun', async () => {
    const [before, after] = [await source.store.jobs.list({}), await target.store.jobs.list({})];
    expect(before).toHaveLength(before.some(({ name }) => name === 'on:machines') ? 209 : 207);
    const states = { waiting: 'held', running: 'held', dead: 'dead', held: 'never' } as const;
    const copied = before.map((job) => ({
      ...job,
      state: states[job.state],
      attempt: job.state === 'running' ? 0 : job.attempt,
    }));
    expect(after.filter(({ name }) => name !== 'on:machines')).toEqual(
      copied.filter(({ name }) => name !== 'on:machines'),
    );
    expect(after.filter(({ state }) => state === 'dead')).toMatchObject([{ name: 'bill', error: 'no' }]);
    expect(await target.store.jobs.lastTicks(['nightly'], T)).toEqual([{ schedule: 'nightly', last: T, now: T }]);
    const dead = after.find(({ state }) => state === 'dead')!;
    expect(await target.store.jobs.show(dead.id)).toEqual(await source.store.jobs.show(dead.id));
    await expect(copyRows(source.store, target.store, resources)).rejects.toThrow('--to: the target already has jobs.');
  });

  it('run in the source alone until they are released, and events with them, in their order', async () => {
    const { jobs } = target.store;
    expect(await claim(target.store)).toEqual([]);
    expect(await jobs.counts(T)).toMatchObject({ isHeld: true, running: 0, dead: 1 });
    await target.store.transaction((one) => one.jobs.send(sent('greet', { input: '"new"' }), false, T), 'serial');
    await jobs.takeEvents(T);
    expect(await claim(target.store)).toEqual([]);
    const made = (await jobs.list({ name: 'greet' })).find(({ key, state }) => key === null && state === 'held')!;
    expect(BigInt(made.id)).toBeGreaterThan(last);
    expect(await source.store.jobs.counts(T)).toMatchObject({ isHeld: false });

    await jobs.release();
    const taken = await claim(target.store);
    const inputs = (name: string) => taken.filter((one) => one.name === name).map(({ input }) => input);
    expect(inputs('greet').toSorted()).toEqual(['"new"', '"runs"']);
    expect(taken.find(({ input }) => input === '"runs"')).toMatchObject({ attempt: 1, key: 'k', tenant: 'berlin' });
    expect(inputs('bill')).toHaveLength(205);
    // Of one row, the next waits.
    const written = '"row":{"name":"é"},"before":{"name":null},"actor":';
    expect(inputs('on:machines')).toEqual([`{"kind":"updated","version":1,${written}null}`]);
    await jobs.end([{ ...taken.find(({ name }) => name === 'on:machines')!, end: { kind: 'done' } }], T);
    expect((await claim(target.store)).map(({ input }) => input)).toEqual([
      `{"kind":"updated","version":2,${written}"a\\"da"}`,
    ]);
    await source.store.jobs.takeEvents(T);
    expect((await claim(source.store)).filter(({ name }) => name === 'bill')).toHaveLength(205);
  });
});

describe.skipIf(!hasPostgres)('a Postgres with the records of another', () => {
  const settings = { sqliteSynchronous: 'full', databaseConnections: 2, statementTimeoutMs: 60_000 } as const;
  const isHeld = async (url: string): Promise<boolean> => {
    const store = await openStore({ kind: 'postgres', url }, resources, settings);
    const { isHeld } = await store.jobs.counts();
    await store.close();
    return isHeld;
  };
  const started = (url: string, how: 'migrated' | 'admitted') =>
    withFolder({}, async (folder) => {
      const place = { kind: 'postgres', url } as const;
      await (how === 'migrated' ? migrateDatabase : admitServer)(place, { resources }, folder);
      return isHeld(url);
    });

  const release = async (url: string): Promise<void> => {
    const store = await openStore({ kind: 'postgres', url }, resources, settings);
    await store.jobs.release();
    await store.close();
  };

  it.each(['migrated', 'admitted'] as const)('is not held once it is %s after its release', async (how) => {
    const original = await makeDatabase();
    await started(original, 'migrated');
    await openStore({ kind: 'postgres', url: original }, resources, settings).then(async (store) => {
      await store.transaction(({ jobs }) => jobs.send(sent('greet'), false, T), 'serial');
      await store.jobs.claim({ names, limit: 1, isThorough: false }, T);
      await store.close();
    });
    const copy = await makeDatabaseOn(SERVER, 'copy', { name: new URL(original).pathname.slice(1) });
    await release(copy.url);
    expect(await started(copy.url, how)).toBe(false);
    const store = await openStore({ kind: 'postgres', url: copy.url }, resources, settings);
    expect(await store.jobs.list({})).toMatchObject([{ state: 'waiting', attempt: 0 }]);
    await store.close();
    await copy.drop();
  });

  it.each(['migrated', 'admitted'] as const)('is held once it is %s, until it is released', async (how) => {
    const original = await makeDatabase();
    expect(await started(original, 'migrated')).toBe(false);
    expect(await started(original, how)).toBe(false);
    const name = new URL(original).pathname.slice(1);
    const copy = await makeDatabaseOn(SERVER, 'copy', { name });
    expect(await isHeld(copy.url)).toBe(false);
    expect(await started(copy.url, how)).toBe(true);
    await release(copy.url);
    expect(await started(copy.url, how)).toBe(false);

    // One that is renamed is the same; one that is made again by the same name is not.
    await administer(SERVER, `alter database ${name} rename to ${name}_`);
    const renamed = original.replace(name, `${name}_`);
    expect(await started(renamed, how)).toBe(false);
    await administer(SERVER, `create database ${name} template ${name}_`);
    expect(await started(original, how)).toBe(true);
    await administer(SERVER, `drop database ${name}_ with (force)`);
    await copy.drop();
  });
});
