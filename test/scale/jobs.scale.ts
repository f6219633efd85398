import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../src/runtime/storage/store.ts';
import { property, resource } from '../support/descriptors.ts';
import { type LargeDatabase, largeDatabases } from './support/large-database.ts';

const JOBS = 100_000;
/** A server looks each second. */
const MOST_MS = 1_000;
const names = ['greet'];
const things = resource('things', 'Thing', [property('code')]);

/** Numbers from 1, as a table `n` with the column `i`. */
const NUMBERS = {
  SQLite: `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${JOBS})`,
  Postgres: `with n (i) as (select generate_series(1, ${JOBS}))`,
};
const DUE = 1_000_000;
const LATER = 9_999_999_999_999;

describe.each(largeDatabases)(`${JOBS} jobs on $name`, ({ name, open }) => {
  let database: LargeDatabase;
  let store: Store;
  beforeEach(async () => {
    database = await open([things]);
    store = database.store;
  });
  afterEach(() => database.close());

  /** Jobs that have been sent; each column as SQL. */
  const fill = (key: string, { runAt = String(DUE), attempt = '0', leased = 'null' } = {}) =>
    database.query(`
      insert into lockstep_job (tenant, name, key, input, request_id, run_at, attempt, claims, depth, leased_until)
      ${NUMBERS[name]} select '', 'greet', ${key}, '{}', 'r', ${runAt}, ${attempt}, 0, 0, ${leased} from n`);
  /** Events that no server has taken, of rows of which each has so many. */
  const fillEvents = (each: number) =>
    database.query(`
      insert into lockstep_job (tenant, name, key, kind, input, request_id, run_at, attempt, claims, depth)
      ${NUMBERS[name]} select '', 'on:things', (i - 1) / ${each}, 'created', '{}', 'r', ${DUE}, 0, 0, 1 from n`);
  const settle = () =>
    database.query(name === 'SQLite' ? 'pragma wal_checkpoint(truncate)' : 'vacuum analyze lockstep_job');
  const sendNew = (key: string | null) =>
    store.transaction(
      ({ jobs }) =>
        jobs.send(
          { name: 'greet', key, tenant: '', input: '"new"', subject: null, requestId: 'r', runAt: undefined, depth: 0 },
          false,
          undefined,
        ),
      'serial',
    );
  const timed = async <T>(work: () => Promise<T>): Promise<readonly [T, number]> => {
    const beganMs = performance.now();
    return [await work(), performance.now() - beganMs];
  };
  /** Milliseconds until a new job begins, with the looks of a server: one at its commit, and one in each second. */
  const begins = async (key: string | null): Promise<number> => {
    await sendNew(key);
    let all = 0;
    for (const isThorough of [false, true]) {
      const [claimed, ms] = await timed(() => store.jobs.claim({ names, limit: 4, isThorough }));
      all += ms;
      if (claimed.some(({ input }) => input === '"new"')) return all;
    }
    return Number.POSITIVE_INFINITY;
  };
  const expectSoon = async (what: string) => {
    const ms = [await begins('new'), await begins(null), await begins('other')];
    console.log(`${name}, ${what}: ${ms.map(Math.round).join(', ')} ms`);
    for (const one of ms) expect(one).toBeLessThan(MOST_MS);
  };

  it('of one key hold up no other', async () => {
    await fill(`'k'`, { leased: `case when i = 1 then ${LATER} end` });
    await settle();
    await expectSoon('one key');
  });

  it('of as many keys, each behind one that is tried again, hold up no other', async () => {
    await fill(`'k' || i`, { runAt: String(LATER), attempt: '1' });
    await fill(`'k' || i`);
    await settle();
    await expectSoon('as many keys');
  });

  it('that are to be tried again hold up no other', async () => {
    await fill(`'k' || i`, { runAt: String(LATER), attempt: '1' });
    await settle();
    await expectSoon('to be tried again');
  });

  it('that have ended beside a transaction that stays open hold up no other, nor events', async () => {
    const looking = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    const open = store.snapshot(async (snapshot) => {
      await snapshot.list({
        resource: 'things',
        conditions: [],
        order: [{ property: 'id', direction: 'asc' }],
        limit: 1,
      });
      looking.resolve();
      await ended.promise;
    });
    await looking.promise;
    try {
      await fill(`'k' || i`);
      // Neither is removed from its indexes before that transaction ends.
      await database.query('delete from lockstep_job');
      const event = `'things', '1', '', 'created', '1', '{}', 1, 'r'`;
      const columns = 'resource, row_id, tenant, kind, version, row, depth, request_id';
      await database.query(`insert into lockstep_outbox (${columns}) ${NUMBERS[name]} select ${event} from n`);
      await database.query('delete from lockstep_outbox');
      await expectSoon('beside an open transaction');
      const change = { resource: 'things', rowId: '1', tenant: '', kind: 'created', version: '1', row: '{}' } as const;
      const [claimed, ms] = await timed(async () => {
        const cause = { before: null, actor: null, depth: 1, requestId: 'r' };
        await store.transaction(({ jobs }) => jobs.emit(() => [{ ...change, ...cause }]), 'serial');
        await store.jobs.takeEvents();
        return store.jobs.claim({ names: ['on:things created'], limit: 4, isThorough: false });
      });
      console.log(`${name}, an event: ${Math.round(ms)} ms`);
      expect(claimed).toHaveLength(1);
      expect(ms).toBeLessThan(MOST_MS);
    } finally {
      ended.resolve();
      await open;
    }
  });

  it.each([
    ['one row', JOBS],
    ['three rows', Math.ceil(JOBS / 3)],
  ])('of events of %s hold up no other', async (what, each) => {
    await fillEvents(each);
    await settle();
    const ms: number[] = [];
    for (const key of ['new', null, 'other']) {
      await sendNew(key);
      let [tookMs, begun] = [0, false];
      // The last finds those that wait behind the first of each row.
      for (const isThorough of [false, true, true])
        if (!begun) {
          const request = { names: [...names, 'on:things created'], limit: 4, isThorough };
          const [claimed, took] = await timed(() => store.jobs.claim(request));
          tookMs += took;
          begun = claimed.some(({ input }) => input === '"new"');
          await store.jobs.end(claimed.map(({ id, claims }) => ({ id, claims, end: { kind: 'done' } })));
        }
      ms.push(begun ? tookMs : Number.POSITIVE_INFINITY);
    }
    console.log(`${name}, events of ${what}: ${ms.map(Math.round).join(', ')} ms`);
    for (const one of ms) expect(one).toBeLessThan(MOST_MS);
  });

  it('of as many keys are taken in their order', async () => {
    await fill(`'k' || i`);
    await settle();
    const [claimed, ms] = await timed(() => store.jobs.claim({ names, limit: 4, isThorough: true }));
    expect(claimed.map(({ key }) => key).toSorted()).toEqual(['k1', 'k2', 'k3', 'k4']);
    console.log(`${name}, taken in order: ${Math.round(ms)} ms`);
    expect(ms).toBeLessThan(MOST_MS);
  });
});
