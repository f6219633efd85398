import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteExpiredKeys } from '../../../src/runtime/storage/expired-keys.ts';
import type { Store } from '../../../src/runtime/storage/store.ts';
import { databases, type TestDatabase } from '../../support/databases.ts';
import { eventually } from '../../support/eventually.ts';
import { ownRowsOf } from '../../support/own-rows.ts';

const START = Date.UTC(2026, 0, 15, 12);
const at = (seconds: number): Date => new Date(START + seconds * 1_000);

/** Keys that expire one after the other, the first after a second. */
async function rememberMany(store: Store, count: number): Promise<void> {
  await store.transaction(async (transaction) => {
    for (let i = 1; i <= count; i++) await transaction.remember(`key ${i}`, '{}', at(i));
  });
}
const rememberedBy = (store: Store) => ownRowsOf(store, 'lockstep_memory');
const keysOf = async (store: Store): Promise<number> => (await rememberedBy(store)).length;

describe.each(databases)('keys that expire on $name', (database) => {
  let opened: TestDatabase;
  let store: Store;

  beforeAll(async () => {
    opened = await database.open([]);
    store = opened.store;
  });
  afterAll(() => opened.close());

  it('are deleted in batches, those that have expired alone', async () => {
    await rememberMany(store, 10);
    expect(await store.deleteExpired(at(6), 4)).toBe(4);
    expect(await store.deleteExpired(at(6), 4)).toBe(2);
    expect(await store.deleteExpired(at(6), 4)).toBe(0);
    const left = (await rememberedBy(store)).map(([key]) => key);
    expect(left.sort()).toEqual(['key 10', 'key 7', 'key 8', 'key 9']);
    expect(await store.deleteExpired(at(10), 100)).toBe(4);
  });

  it('are not found, and make room for the same key, before they are deleted', async () => {
    const remember = (text: string, expires: Date) => store.transaction((one) => one.remember('same', text, expires));
    await remember('"a"', at(1));
    expect(await store.transaction((one) => one.recall('same', at(1)))).toBeUndefined();
    await remember('"b"', at(9));
    expect(await store.transaction((one) => one.recall('same', at(1)))).toBe('"b"');
    expect(await store.deleteExpired(at(9), 1)).toBe(1);
  });

  it('are deleted by a timer, by the clock of the server, and counted', async () => {
    let now = at(0);
    const counts: number[] = [];
    const total = () => counts.reduce((sum, count) => sum + count, 0);
    await rememberMany(store, 600);
    const onFailure = (error: unknown) => expect.unreachable(String(error));
    const stop = deleteExpiredKeys(store, {
      clock: () => now.getTime(),
      intervalMs: 5,
      onDeleted: (n) => counts.push(n),
      onFailure,
    });
    now = at(550);
    await eventually(async () => expect(await keysOf(store)).toBe(50));
    // They are deleted a moment before they are counted.
    await eventually(() => expect(total()).toBe(550));
    expect(counts.length).toBeGreaterThan(1);
    now = at(600);
    await eventually(async () => expect(await keysOf(store)).toBe(0));
    await stop();
    expect(total()).toBe(600);
    await rememberMany(store, 1);
    expect(await keysOf(store)).toBe(1);
  });

  it('are tried again when the database could not', async () => {
    let failures = 0;
    let deleted = 0;
    const failing: Store = Object.assign(Object.create(store), {
      deleteExpired: (now: Date, limit: number) => {
        failures += 1;
        return failures > 2 ? store.deleteExpired(now, limit) : Promise.reject(new Error('away'));
      },
    });
    const seen: unknown[] = [];
    const onFailure = (error: unknown) => void seen.push(error);
    const onDeleted = (count: number) => (deleted += count);
    const stop = deleteExpiredKeys(failing, { clock: () => at(10).getTime(), intervalMs: 1, onDeleted, onFailure });
    await eventually(() => expect(deleted).toBe(1));
    await stop();
    expect(seen).toHaveLength(2);
  });
});
