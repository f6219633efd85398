import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRowCodec } from '../../../../src/runtime/engine/resource/row-codec.ts';
import { openPostgresStore } from '../../../../src/runtime/storage/postgres/postgres-store.ts';
import type { Store } from '../../../../src/runtime/storage/store.ts';
import { postgresFor } from '../../../support/databases.ts';
import { property, resource } from '../../../support/descriptors.ts';
import { eventually } from '../../../support/eventually.ts';
import { hasPostgres } from '../../../support/postgres.ts';

const things = resource('things', 'Thing', [property('name')]);
const others = resource('others', 'Other', [property('name')]);
const codec = createRowCodec(things.properties);
const time = '2026-01-01T00:00:00.000Z';
let made = 0;
const row = () => {
  const id = `00000000-0000-7000-8000-${String(++made).padStart(12, '0')}`;
  return codec.toRow({ id, version: 1, createdAt: time, updatedAt: time, name: 'Blue mug' });
};
/** Far less than a statement may take, and far more than the writes of a table that nobody has locked. */
const STALLS_MS = 2_000;

describe.skipIf(!hasPostgres)('writes to a table that another program has locked', () => {
  let store: Store;
  let holder: pg.Client;
  let giveBack: () => Promise<unknown>;
  let isLocked: boolean;
  const counts = () => store.connections!();
  const write = (name: string) => store.transaction((transaction) => transaction.insert(name, row()), 'single');
  const rows = (name: string) => store.count(name, []);
  const unlock = async () => {
    if (isLocked) await holder.query('rollback');
    isLocked = false;
  };

  beforeEach(async () => {
    const database = await postgresFor([things, others]);
    giveBack = database.giveBack;
    const limits = { connections: 4, statementTimeoutMs: 60_000 };
    store = await openPostgresStore({ url: database.url, resources: [things, others], ...limits });
    holder = new pg.Client(database.url);
    await holder.connect();
    await holder.query('begin; lock table things in access exclusive mode');
    isLocked = true;
  });
  afterEach(async () => {
    await unlock();
    await holder.end();
    await store.close();
    await giveBack();
  });

  /** So many writes, which use up the connections before anybody can know that they wait. */
  const locked = (count: number, isolation: 'single' | 'locking' | 'serial' = 'single') =>
    Promise.all(
      Array.from({ length: count }, () =>
        store.transaction((transaction) => transaction.insert('things', row()), isolation),
      ),
    );

  it('leave connections to those of another, and are done when it is released', async () => {
    const waiting = locked(20);
    const writes: number[] = [];
    for (let round = 0; round < 10; round++) {
      const begunMs = performance.now();
      await write('others');
      expect(await rows('others')).toBe(round + 1);
      writes.push(performance.now() - begunMs);
    }
    expect(Math.max(...writes)).toBeLessThan(STALLS_MS);
    expect(counts()).toMatchObject({ used: 1, waiting: 19, locked: 1 });
    await unlock();
    expect(await waiting).toHaveLength(20);
    expect(await rows('things')).toBe(20);
    await eventually(() => expect(counts()).toEqual({ used: 0, idle: 2, waiting: 0, locked: 0 }));
  });

  it('leave them when they have begun with another table, and begin anew', async () => {
    let begun = 0;
    const both = () =>
      store.transaction(async (transaction) => {
        begun++;
        await transaction.insert('others', row());
        await transaction.insert('things', row());
      });
    const waiting = Promise.all([locked(4, 'locking'), ...Array.from({ length: 4 }, both)]);
    await eventually(() => expect(begun).toBeGreaterThanOrEqual(4));
    await eventually(() => expect(counts()).toMatchObject({ used: 1, locked: 1 }));
    await write('others');
    expect(await rows('others')).toBe(1);
    await unlock();
    await waiting;
    expect([await rows('others'), await rows('things')]).toEqual([5, 8]);
    expect(begun).toBeGreaterThan(4);
  });

  it('leave them whatever a transaction makes of being told to', async () => {
    const waiting = Promise.all(
      Array.from({ length: 4 }, () =>
        store.transaction(async (transaction) => {
          await Promise.resolve(transaction.insert('things', row())).catch(() => undefined);
          return 'kept';
        }, 'serial'),
      ),
    );
    await write('others');
    await unlock();
    expect(await waiting).toEqual(['kept', 'kept', 'kept', 'kept']);
    expect(await rows('things')).toBe(4);
  });

  it('are told from writes that only take long, which are left to finish', async () => {
    await unlock();
    await holder.query(`
      create function take_long() returns trigger language plpgsql as 'begin perform pg_sleep(0.5); return new; end';
      create trigger slow before insert on things for each row execute function take_long()`);
    let begun = 0;
    const slow = Promise.all(
      Array.from({ length: 2 }, () =>
        store.transaction((transaction) => {
          begun++;
          return transaction.insert('things', row());
        }),
      ),
    );
    await write('others');
    await slow;
    await holder.query('drop function take_long cascade');
    expect([begun, await rows('things')]).toEqual([2, 2]);
    await eventually(() => expect(counts()).toMatchObject({ used: 0, locked: 0 }));
  });
});
