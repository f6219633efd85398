import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ClaimedJob, JobEnd, NewEvent, NewJob } from '../../../src/runtime/storage/jobs.ts';
import type { Store } from '../../../src/runtime/storage/store.ts';
import { databases } from '../../support/databases.ts';
import { property, resource } from '../../support/descriptors.ts';

const things = resource('things', 'Thing', [property('code')]);
const T = Date.parse('2026-01-01T00:00:00Z');
const LEASE_MS = 30_000;
const names = ['greet', 'bill'];

describe.each(databases)('jobs on $name', ({ share }) => {
  let stores: readonly Store[];
  let store: Store;
  let close: () => Promise<void>;
  beforeEach(async () => {
    ({ stores, close } = await share([[things], [things]]));
    store = stores[0]!;
  });
  afterEach(() => close());

  const job = (given: Partial<NewJob> = {}): NewJob => ({
    ...{
      name: 'greet',
      key: null,
      tenant: '',
      input: '{}',
      subject: null,
      requestId: 'r1',
      runAt: undefined,
      depth: 0,
    },
    ...given,
  });
  const send = (given: Partial<NewJob> = {}, { now = T, replaces = false } = {}) =>
    store.transaction(({ jobs }) => jobs.send(job(given), replaces, now), 'serial');
  const claim = async (now = T, limit = 10, isThorough = false, of = store): Promise<readonly ClaimedJob[]> =>
    of.jobs.claim({ names, limit, isThorough }, now);
  const end = (run: ClaimedJob, how: JobEnd, now = T) => store.jobs.end([{ ...run, end: how }], now);
  const inputsOf = (jobs: readonly ClaimedJob[]) => jobs.map(({ input }) => input).toSorted();
  const inputs = async (...args: Parameters<typeof claim>) => inputsOf(await claim(...args));
  const only = ([one, ...others]: readonly ClaimedJob[]): ClaimedJob => {
    expect(others).toEqual([]);
    return one!;
  };

  it('are what was sent, and taken once', async () => {
    const sent = {
      key: 'k',
      tenant: 'berlin',
      input: '{"a":"ü"}',
      subject: 'ada',
      requestId: 'r7',
      traceparent: '00-1',
    };
    await send(sent);
    expect(only(await claim())).toEqual({ ...sent, id: '1', name: 'greet', claims: 1, attempt: 1, depth: 0 });
    expect(await claim()).toEqual([]);
  });

  it('are not sent by a transaction that rolls back', async () => {
    const failing = store.transaction(async ({ jobs }) => {
      await jobs.send(job(), false, T);
      throw new Error('no');
    }, 'serial');
    await expect(failing).rejects.toThrow('no');
    expect(await claim()).toEqual([]);
  });

  it('are taken by their times, then ids, and not before', async () => {
    await send({ input: '1', runAt: T + 5 });
    await send({ input: '2', runAt: T - 5 });
    await send({ input: '3' });
    expect([await inputs(T, 1), await inputs(T, 1), await inputs(T, 1), await inputs(T + 5)]).toEqual([
      ['2'],
      ['3'],
      [],
      ['1'],
    ]);
  });

  it('run by the time of the database without another', async () => {
    await store.transaction(({ jobs }) => jobs.send(job(), false, undefined), 'serial');
    await store.transaction(
      ({ jobs }) => jobs.send(job({ runAt: Date.now() + 3_600_000 }), false, undefined),
      'serial',
    );
    expect(await store.jobs.claim({ names, limit: 5, isThorough: false })).toHaveLength(1);
  });

  it('of one key are taken one after the other, also when both are found at once', async () => {
    await send({ key: 'k', input: '1' });
    await send({ key: 'k', input: '2' });
    await send({ key: 'k', input: '3', tenant: 'berlin' });
    await send({ key: 'k', input: '4', name: 'bill' });
    const taken = await claim();
    expect(inputsOf(taken)).toEqual(['1', '3', '4']);
    await end(taken.find(({ input }) => input === '1')!, { kind: 'done' });
    expect(await inputs()).toEqual(['2']);
  });

  const event = (rowId: string) => ({
    ...({ resource: 'things', rowId, tenant: '', kind: 'created', version: '1', row: '{}', before: null } as const),
    ...{ actor: null, depth: 1, requestId: 'r1', now: T },
  });

  it('are made of no events of a transaction that fails behind them, beside others', async () => {
    const writing = (rowId: string) =>
      store.transaction(async ({ jobs }) => {
        await jobs.emit(() => [event(rowId)]);
        if (rowId.startsWith('bad')) throw new Error('no');
      }, 'serial');
    const outcomes = await Promise.allSettled(['bad 1', 'a', 'bad 2', 'b', 'bad 3'].map(writing));
    expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual([false, true, false, true, false]);
    await store.jobs.takeEvents(T);
    expect((await store.jobs.list({})).map(({ key }) => key).toSorted()).toEqual(['a', 'b']);
  });

  it('are made of events whatever the order of the commits, each once', async () => {
    const emit = (of: Store, rowId: string) => of.transaction(({ jobs }) => jobs.emit(() => [event(rowId)]), 'serial');
    const keys = async () => {
      for (const one of stores) await one.jobs.takeEvents(T);
      return (await store.jobs.list({})).map(({ key }) => key);
    };
    if (!store.hasRowLocks) {
      // There is one writer, and no later id before the commit.
      await Promise.all([emit(store, 'a'), emit(stores[1] ?? store, 'b')]);
      return expect((await keys()).toSorted()).toEqual(['a', 'b']);
    }
    const [written, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const late = store.transaction(async ({ jobs }) => {
      await jobs.emit(() => [event('a')]);
      written.resolve();
      await ended.promise;
    }, 'serial');
    await written.promise;
    await emit(stores[1] ?? store, 'b');
    expect(await keys()).toEqual(['b']);
    ended.resolve();
    await late;
    expect(await keys()).toEqual(['b', 'a']);
  });

  it('are made of the first 1,000 events at a time, however large these are', async () => {
    const all = Array.from({ length: 1_201 }, (_, i) => ({
      ...({ resource: 'things', rowId: `${i}`, tenant: '', kind: 'created', version: '1', before: null } as const),
      ...{ row: JSON.stringify('x'.repeat(i === 0 ? 100_000 : 1)), actor: null, depth: 1, requestId: 'r1', now: T },
    }));
    await store.transaction(({ jobs }) => jobs.emit(() => all), 'serial');
    const turns: boolean[] = [];
    for (let i = 0; i < 3; i++) turns.push(await store.jobs.takeEvents(T));
    expect(turns).toEqual([store.hasRowLocks, false, false]);
    const keys: (string | null)[] = [];
    const ask = { names: ['on:things created'], limit: 100, isThorough: true };
    for (let taken = await store.jobs.claim(ask, T); taken.length > 0; taken = await store.jobs.claim(ask, T)) {
      keys.push(...taken.toSorted((a, b) => Number(a.id) - Number(b.id)).map(({ key }) => key));
      const first = taken.find(({ key }) => key === '0');
      if (first) expect(first.input.length).toBeGreaterThan(100_000);
      await store.jobs.end(
        taken.map((run) => ({ ...run, end: { kind: 'done' } as const })),
        T,
      );
    }
    expect(keys).toEqual(all.map(({ rowId }) => rowId));
  });

  it('are made of as many large events as a statement has time for, in their order', async () => {
    const all = Array.from({ length: 12 }, (_, i) => ({
      ...event(`${i}`),
      row: JSON.stringify(`${i}`.repeat(2 ** 20)),
    }));
    await store.transaction(({ jobs }) => jobs.emit(() => all), 'serial');
    const made = async () => (await store.jobs.list({})).map(({ key }) => key);
    const lengths: number[] = [];
    for (let waits = true; waits; lengths.push((await made()).length)) waits = await store.jobs.takeEvents(T);
    expect(await made()).toEqual(all.map(({ rowId }) => rowId));
    expect(lengths.length).toBeGreaterThan(store.hasRowLocks ? 2 : 0);
  });

  it('of a schedule are sent with its tick, or neither is kept', async () => {
    const last = async () => (await store.jobs.lastTicks(['nightly'], T)).map((tick) => tick.last);
    const tick = (name: string) =>
      store.jobs.tick({ schedule: 'nightly', at: T, last: undefined, sends: { name, key: 'nightly' } }, T);
    await expect(tick(null as unknown as string)).rejects.toThrow();
    expect([await last(), await claim()]).toEqual([[undefined], []]);
    await tick('greet');
    expect([await last(), await inputs()]).toEqual([[T], ['{}']]);
  });

  it('are not taken by others while a transaction of their run is open', async () => {
    // One process at a time writes a file.
    if (!store.hasRowLocks) return;
    await send();
    const running = only(await claim());
    const [others, renewed] = await store.transaction(async ({ jobs }) => {
      expect(await jobs.hold(running)).toBe(true);
      return [
        await claim(T + LEASE_MS, 10, true, stores[1]),
        await stores[1]!.jobs.renew([running], T + LEASE_MS),
      ] as const;
    }, 'serial');
    expect([others, [...renewed]]).toEqual([[], [running.id]]);
    expect(await claim(T + LEASE_MS, 10, true, stores[1])).toMatchObject([{ id: running.id, claims: 2 }]);
  });

  describe('of events', () => {
    const emit = async (rowId: string, input: Partial<NewEvent> = {}) => {
      const event = { resource: 'things', rowId, tenant: '', kind: 'updated', version: '1', row: '{}', before: null };
      const cause = { actor: null, depth: 1, requestId: 'r1', now: T };
      await store.transaction(({ jobs }) => jobs.emit(() => [{ ...event, ...cause, ...input } as NewEvent]), 'serial');
      await store.jobs.takeEvents(input.now ?? T);
    };
    const claimEvents = (now = T, isThorough = false) =>
      store.jobs.claim({ names: [...names, 'on:things updated'], limit: 4, isThorough }, now);
    const versions = (jobs: readonly ClaimedJob[]) =>
      jobs.map(({ key, input }) => `${key} ${JSON.parse(input).version}`).toSorted();

    it.each([false, true])(
      'are taken one after the other of each row, in their order (thorough: %s)',
      async (isThorough) => {
        for (const version of ['1', '2', '3']) for (const rowId of ['a', 'b']) await emit(rowId, { version });
        const first = await claimEvents(T, isThorough);
        expect(versions(first)).toEqual(['a 1', 'b 1']);
        expect(await claimEvents(T, isThorough)).toEqual([]);
        await end(first.find(({ key }) => key === 'a')!, { kind: 'done' });
        await end(first.find(({ key }) => key === 'b')!, { kind: 'again', delayMs: 10, error: 'no' });
        const second = await claimEvents(T, isThorough);
        expect(versions(second)).toEqual(['a 2']);
        await end(second[0]!, { kind: 'back' });
        expect(versions(await claimEvents(T + 10, isThorough))).toEqual(['a 2', 'b 1']);
      },
    );

    it('keep their order though the clock goes back', async () => {
      await emit('a', { version: '1' });
      await emit('a', { version: '2', now: T - 60_000 });
      expect(versions(await claimEvents(T - 60_000))).toEqual(['a 1']);
    });

    it('come among others by their times', async () => {
      await send({ input: '{"version":0}', key: 'sent' }, { now: T - 1 });
      await emit('a');
      await send({ input: '{"version":0}', key: 'later' }, { now: T + 1 });
      const one = async () =>
        versions(
          await store.jobs.claim({ names: [...names, 'on:things updated'], limit: 1, isThorough: false }, T + 1),
        );
      expect([await one(), await one(), await one()]).toEqual([['sent 0'], ['a 1'], ['later 0']]);
    });

    it('that are dead hold up no other of their row, and come first when they are repeated', async () => {
      await emit('a', { version: '1', depth: 17 });
      await emit('a', { version: '2' });
      await emit('a', { version: '3' });
      const [second] = await claimEvents();
      expect(versions([second!])).toEqual(['a 2']);
      await end(second!, { kind: 'done' });
      const [dead] = await store.jobs.list({ state: 'dead' });
      expect(await store.jobs.repeat(dead!.id)).toBe(true);
      expect(versions(await claimEvents(Date.now()))).toEqual(['a 1']);
    });

    it.each([false, true])(
      'that are repeated are taken before later ones of their row that are tried again (thorough: %s)',
      async (isThorough) => {
        await emit('a', { version: '1', depth: 17 });
        await emit('a', { version: '2' });
        const [second] = await claimEvents();
        await end(second!, { kind: 'again', delayMs: 0, error: 'no' });
        const [dead] = await store.jobs.list({ state: 'dead' });
        await store.jobs.repeat(dead!.id);
        const taken = await claimEvents(Date.now(), isThorough);
        expect(versions(taken)).toEqual(['a 1']);
        await end(taken[0]!, { kind: 'done' });
        expect(versions(await claimEvents(Date.now(), isThorough))).toEqual(['a 2']);
      },
    );

    it('wait as others do, and are dead after 14 days without a server that knows them', async () => {
      await emit('a');
      await send({ runAt: T + 5 });
      expect(await store.jobs.counts(T + 7)).toMatchObject({ waiting: 2, running: 0, oldestMs: 7 });
      const later = T + 14 * 24 * 3_600_000;
      await store.jobs.sweep([...names, 'on:things updated'], later);
      expect(await store.jobs.counts(later)).toMatchObject({ waiting: 2 });
      await store.jobs.sweep(names, later);
      expect(await store.jobs.counts(later)).toMatchObject({ waiting: 1, dead: 1 });
    });

    it('are taken by one of two servers', async () => {
      await emit('a', { version: '1' });
      await emit('a', { version: '2' });
      const request = { names: ['on:things updated'], limit: 4, isThorough: false };
      const taken = await Promise.all(stores.map((one) => one.jobs.claim(request, T)));
      expect(versions(taken.flat())).toEqual(['a 1']);
    });
  });

  it('of one key are taken by one of two servers', async () => {
    await send({ key: 'k', input: '1' });
    await send({ key: 'k', input: '2' });
    const taken = await Promise.all(stores.map((one) => claim(T, 10, false, one)));
    expect(inputsOf(taken.flat())).toEqual(['1']);
  });

  it('wait for the running one of their key though its id is higher', async () => {
    await send({ key: 'k', input: '2' });
    const running = only(await claim());
    // What has a lower id may be committed later.
    await send({ key: 'k', input: '1' });
    const statement = 'a lower id';
    expect([statement, await inputs()]).toEqual([statement, []]);
    await end(running, { kind: 'done' });
    expect(await inputs()).toEqual(['1']);
  });

  it('wait while an earlier one of their key is to be tried again, but not for one whose time has not come', async () => {
    await send({ key: 'k', input: '1' });
    await send({ key: 'k', input: '2' });
    await send({ key: 'l', input: '3', runAt: T + 1_000 });
    await send({ key: 'l', input: '4' });
    const [first] = await claim(T, 1);
    await end(first!, { kind: 'again', delayMs: 10_000, error: 'no' });
    expect(await inputs(T + 500)).toEqual(['4']);
    const again = (await claim(T + 10_000)).find(({ input }) => input === '1');
    expect(again).toMatchObject({ attempt: 2, claims: 2 });
  });

  it.each([false, true])(
    'end with the claim of others, which they hold up no more (thorough: %s)',
    async (isThorough) => {
      for (const input of ['1', '2']) for (const key of ['k', 'l', null]) await send({ key, input: `${key}${input}` });
      const taken = await claim(T, 4);
      expect(inputsOf(taken)).toEqual(['k1', 'l1', 'null1', 'null2']);
      const kinds: Readonly<Record<string, JobEnd>> = {
        k1: { kind: 'done' },
        l1: { kind: 'again', delayMs: 5, error: 'no' },
        null1: { kind: 'dead', error: 'no' },
        null2: { kind: 'back' },
      };
      const ended = taken.map((run) => ({ ...run, end: kinds[run.input]! }));
      expect(inputsOf(await store.jobs.claim({ ended, names, limit: 10, isThorough }, T))).toEqual(['k2', 'null2']);
      expect((await store.jobs.list({})).map(({ state }) => state)).toEqual([
        'waiting',
        'dead',
        'running',
        'waiting',
        'running',
      ]);
    },
  );

  it('end though the claim of others fails', async () => {
    await send();
    const running = only(await claim());
    const ended = [{ ...running, end: { kind: 'done' } as const }];
    // More than SQLite has placeholders for.
    const tooMany = Array.from({ length: 40_000 }, (_, i) => `name ${i}`);
    const failing = store.jobs.claim({ ended, names: tooMany, limit: 1, isThorough: false }, T);
    if (!store.hasRowLocks) await expect(failing).rejects.toThrow();
    await Promise.allSettled([failing]);
    expect(await store.jobs.list({})).toEqual([]);
  });

  it('that are dead hold up nothing', async () => {
    await send({ key: 'k', input: '1' });
    await send({ key: 'k', input: '2' });
    await end(only(await claim()), { kind: 'dead', error: 'no' });
    expect(await inputs()).toEqual(['2']);
  });

  it('of a server that has ended go on with another, and the first writes nothing more', async () => {
    await send({ key: 'k', input: '1' });
    const lost = only(await claim());
    expect(await inputs(T + LEASE_MS - 1, 10, true, stores[1])).toEqual([]);
    const taken = only(await claim(T + LEASE_MS, 10, true, stores[1]));
    expect(taken).toMatchObject({ id: lost.id, attempt: 2, claims: 2 });
    const holds = (of: ClaimedJob) => store.transaction(({ jobs }) => jobs.hold(of), 'serial');
    expect([await holds(lost), await holds(taken)]).toEqual([false, true]);
    await end(lost, { kind: 'done' });
    await end(lost, { kind: 'dead', error: 'no' });
    expect(await holds(taken)).toBe(true);
    expect(await store.jobs.renew([lost, taken], T)).toEqual(new Set([taken.id]));
  });

  it('keep their leases when these are renewed', async () => {
    await send();
    const running = only(await claim());
    expect(await store.jobs.renew([running], T + 20_000)).toEqual(new Set([running.id]));
    expect(await claim(T + 20_000 + LEASE_MS - 1, 1, true)).toEqual([]);
    expect(await claim(T + 20_000 + LEASE_MS, 1, true)).toHaveLength(1);
  });

  it('that are held are not taken, also where their servers have ended, and what runs keeps its lease', async () => {
    await send({ input: '1' });
    const running = only(await claim());
    await send({ input: '2' });
    await store.jobs.hold();
    await store.jobs.hold();
    expect(await store.jobs.renew([running], T)).toEqual(new Set([running.id]));
    expect(await claim(T + LEASE_MS, 10, true, stores[1]!)).toEqual([]);
    expect((await store.jobs.list({ state: 'held' })).map(({ id }) => id)).toEqual(['2']);
    expect(await store.jobs.counts(T + 5)).toEqual({ isHeld: true, waiting: 1, running: 1, dead: 0, oldestMs: 5 });
    await stores[1]!.jobs.release();
    expect(await inputs(T + LEASE_MS, 10, true)).toEqual(['1', '2']);
  });

  it('that are given back do not count', async () => {
    await send();
    await end(only(await claim()), { kind: 'back' });
    expect(only(await claim())).toMatchObject({ attempt: 1, claims: 2 });
  });

  it('are done with the transaction that completes them, unless it rolls back', async () => {
    await send();
    const running = only(await claim());
    const completing = (fails: boolean) =>
      store.transaction(async ({ jobs }) => {
        await jobs.complete(running);
        if (fails) throw new Error('no');
      }, 'serial');
    await expect(completing(true)).rejects.toThrow('no');
    const holds = () => store.transaction(({ jobs }) => jobs.hold(running), 'serial');
    expect(await holds()).toBe(true);
    await completing(false);
    expect(await holds()).toBe(false);
  });

  it('replace those of their tenant, name and key that have not begun', async () => {
    await send({ key: 'k', input: '1' });
    const running = only(await claim());
    await send({ key: 'k', input: '2' });
    await send({ key: 'k', input: '3', tenant: 'berlin' });
    await send({ key: 'k', input: '4' }, { replaces: true });
    await end(running, { kind: 'again', delayMs: 0, error: 'no' });
    await send({ key: 'k', input: '5' }, { replaces: true });
    const taken = await claim();
    expect(inputsOf(taken)).toEqual(['1', '3']);
    await end(taken.find(({ input }) => input === '1')!, { kind: 'done' });
    expect(await inputs()).toEqual(['5']);
  });

  it('replace none that has begun and was given back', async () => {
    await send({ key: 'k', input: '1' });
    await end(only(await claim()), { kind: 'back' });
    await send({ key: 'k', input: '2' }, { replaces: true });
    expect(await inputs()).toEqual(['1']);
  });

  it('whose names a server does not know are left to others, and are dead after 14 days', async () => {
    await send({ name: 'other' });
    expect(await claim()).toEqual([]);
    const others = (now: number) => store.jobs.claim({ names: ['other'], limit: 1, isThorough: false }, now);
    const late = T + 14 * 24 * 3_600_000;
    await store.jobs.sweep(names, late - 1);
    const [taken] = await others(late - 1);
    await end(taken!, { kind: 'back' }, late);
    await store.jobs.sweep(['other'], late);
    await end((await others(late))[0]!, { kind: 'back' }, late);
    await store.jobs.sweep(names, late);
    expect(await others(late)).toEqual([]);
  });

  it('whose server has ended, and whose names no other knows, are dead 14 days later', async () => {
    await send({ key: 'k', name: 'other' });
    const lost = only(await store.jobs.claim({ names: ['other'], limit: 1, isThorough: false }, T));
    const late = T + LEASE_MS + 14 * 24 * 3_600_000;
    const states = async () => (await store.jobs.list({})).map(({ state }) => state);
    await store.jobs.sweep(names, late - 1);
    await store.jobs.sweep(['other'], late);
    expect(await states()).toEqual(['running']);
    await store.jobs.sweep(names, late);
    expect(await states()).toEqual(['dead']);
    await end(lost, { kind: 'done' }, late);
    expect(await states()).toEqual(['dead']);
  });

  it('whose server has ended are repeated and removed by people, and not while their lease lasts', async () => {
    await send({ key: 'k' });
    const lost = only(await claim());
    expect(await store.jobs.repeat(lost.id, T + LEASE_MS - 1)).toBe(false);
    expect(await store.jobs.repeat(lost.id, T + LEASE_MS)).toBe(true);
    await end(lost, { kind: 'done' });
    expect(only(await claim(T + LEASE_MS))).toMatchObject({ id: lost.id, attempt: 1, claims: 2 });
    expect(await store.jobs.drop(lost.id, T + 2 * LEASE_MS - 1)).toBe(false);
    expect(await store.jobs.drop(lost.id, T + 2 * LEASE_MS)).toBe(true);
  });

  it('are listed without their inputs, shown with them, repeated and removed by people', async () => {
    await send({ key: 'k', input: '{"a":1}', tenant: 'berlin', subject: 'ada' });
    await send({ key: 'k', input: '2', name: 'bill' });
    const entries = async (wanted = {}) =>
      (await store.jobs.list(wanted)).map(({ name, state, attempt, error }) => [name, state, attempt, error]);
    const greets = await claim(T, 1);
    expect(await entries()).toEqual([
      ['greet', 'running', 1, null],
      ['bill', 'waiting', 0, null],
    ]);
    const { id } = greets[0]!;
    expect([await store.jobs.repeat(id, T), await store.jobs.drop(id, T)]).toEqual([false, false]);
    await end(greets[0]!, { kind: 'dead', error: 'no' });
    expect([await entries({ state: 'dead' }), await entries({ name: 'bill' })]).toEqual([
      [['greet', 'dead', 1, 'no']],
      [['bill', 'waiting', 0, null]],
    ]);
    expect(JSON.stringify(await store.jobs.list({}))).not.toContain('ada');
    expect(await store.jobs.show(id)).toMatchObject({
      tenant: 'berlin',
      subject: 'ada',
      input: '{"a":1}',
      state: 'dead',
    });
    expect(await store.jobs.repeat(id)).toBe(true);
    expect(await store.jobs.claim({ names: ['greet'], limit: 5, isThorough: false })).toMatchObject([
      { id, attempt: 1 },
    ]);
    const [bill] = await store.jobs.list({ name: 'bill' });
    expect([await store.jobs.drop(bill!.id), await store.jobs.drop(bill!.id)]).toEqual([true, false]);
    expect(await store.jobs.show(bill!.id)).toBeUndefined();
  });

  const sendAll = (all: readonly Partial<NewJob>[]) =>
    store.transaction(async ({ jobs }) => {
      for (const one of all) await jobs.send(job(one), false, T);
    }, 'serial');

  it('are found behind those that wait for others of their keys', async () => {
    const keys = Array.from({ length: 30 }, (_, i) => ({ key: `k${i}`, input: 'first' }));
    await sendAll(keys);
    const first = await claim(T, 30);
    expect(inputsOf(first)).toEqual(keys.map(() => 'first'));
    const again = { kind: 'again', delayMs: 10_000, error: 'no' } as const;
    await store.jobs.end(
      first.map((run) => ({ ...run, end: again })),
      T,
    );
    await sendAll([...keys, { input: 'keyless' }, { key: 'new', input: 'new' }]);
    expect([await inputs(T, 1), await inputs(T, 4)]).toEqual([['keyless'], ['new']]);
  });

  it('are found behind any number of these when a look is thorough, and then by quick ones', async () => {
    await sendAll(Array.from({ length: 450 }, (_, i) => ({ key: `k${i % 2}`, input: String(i) })));
    for (const input of ['a', 'b', 'c']) await send({ key: input, input, runAt: T + 1 });
    await send({ input: 'keyless', runAt: T + 1 });
    expect(await inputs()).toEqual(['0', '1']);
    expect(await inputs(T + 1, 2, true)).toEqual(['a', 'b']);
    await store.jobs.hold();
    expect(await inputs(T + 1)).toEqual([]);
    await store.jobs.release();
    const later = only(await claim(T + 1, 1, true));
    expect(later.input).toBe('c');
    await end(later, { kind: 'again', delayMs: 10, error: 'no' }, T + 1);
    expect(await inputs(T + 1, 4)).toEqual(['keyless']);
  });
});
