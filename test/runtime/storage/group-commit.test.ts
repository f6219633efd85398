import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRowCodec } from '../../../src/runtime/engine/resource/row-codec.ts';
import { openSqliteStore } from '../../../src/runtime/storage/sqlite/sqlite-store.ts';
import type { Store, Transaction } from '../../../src/runtime/storage/store.ts';
import { property, resource } from '../../support/descriptors.ts';
import { eventually } from '../../support/eventually.ts';

const things = { ...resource('things', 'Thing', [property('code')]), unique: [['code']] };
const codec = createRowCodec(things.properties);
const time = '2026-01-01T00:00:00.000Z';
const id = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const thing = (n: number, code = `c${n}`) =>
  codec.toRow({ id: id(n), version: 1, createdAt: time, updatedAt: time, code });

let folder: string;
let store: Store;
const file = () => join(folder, 'test.db');
const open = (maxPages?: number) =>
  openSqliteStore({ file: file(), resources: [things], ...(maxPages !== undefined && { maxPages }) });

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lockstep-group-'));
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

const stored = async (n: number): Promise<boolean> => (await store.get('things', id(n))) !== undefined;
const insert = (n: number, code?: string) =>
  store.transaction((transaction) => transaction.insert('things', thing(n, code)));

describe('concurrent transactions', () => {
  it.each([
    ['first', [true, false, false, false]],
    ['last', [false, false, false, true]],
    ['all but one', [true, true, false, true]],
  ])('fail without the others (%s)', async (_, failing) => {
    store = open();
    const outcomes = await Promise.allSettled(
      failing.map((fails, n) =>
        store.transaction(async (transaction) => {
          await transaction.insert('things', thing(n));
          if (fails) throw new Error('stop');
        }),
      ),
    );
    expect(outcomes.map(({ status }) => status === 'rejected')).toEqual(failing);
    expect(await Promise.all(failing.map((_, n) => stored(n)))).toEqual(failing.map((fails) => !fails));
  });

  it('fail without the others that break a rule of the table', async () => {
    store = open();
    const outcomes = await Promise.allSettled([insert(1), insert(2, 'c1'), insert(3)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await Promise.all([1, 2, 3].map(stored))).toEqual([true, false, true]);
  });

  it('are visible to another connection when they resolve', async () => {
    store = open();
    const other = new DatabaseSync(file(), { readOnly: true });
    const seen = async (n: number) => {
      await insert(n);
      return other.prepare('select 1 from things where id = ?').get(id(n)) !== undefined;
    };
    expect(await Promise.all(Array.from({ length: 20 }, (_, n) => seen(n)))).not.toContain(false);
    other.close();
  });

  it('are committed apart once they have written a million characters', async () => {
    store = open();
    const other = new DatabaseSync(file(), { readOnly: true });
    const count = () => other.prepare('select count(*) as n from things').get()!['n'];
    const counts: unknown[] = [];
    const write = (n: number, code: string) =>
      store.transaction(async (transaction) => {
        counts.push(count());
        await transaction.insert('things', thing(n, code));
      });
    await Promise.all([write(1, 'x'.repeat(2 ** 20)), write(2, 'a'), write(3, 'b')]);
    expect(counts).toEqual([0, 1, 1]);
    other.close();
  });

  it('leave the turn to others once they have written a million characters', async () => {
    store = open();
    let turns = 0;
    const seen: number[] = [];
    const write = (n: number, code: string) =>
      store.transaction(async (transaction) => {
        seen.push(turns);
        setImmediate(() => turns++);
        await transaction.insert('things', thing(n, code));
      });
    await Promise.all([write(1, 'x'.repeat(2 ** 20)), write(2, 'y'.repeat(2 ** 20)), write(3, 'a'), write(4, 'b')]);
    expect(seen).toEqual([0, 1, 2, 2]);
  });

  it('are committed apart once they have written a few hundred rows', async () => {
    store = open();
    const other = new DatabaseSync(file(), { readOnly: true });
    const count = () => other.prepare('select count(*) as n from things').get()!['n'];
    const counts: unknown[] = [];
    const write = (from: number) =>
      store.transaction(async (transaction) => {
        counts.push(count());
        for (let n = 0; n < 200; n++) await transaction.insert('things', thing(from + n));
      });
    await Promise.all([write(0), write(200), write(400)]);
    expect(counts).toEqual([0, 0, 400]);
    other.close();
  });

  it('are copied from the log into the file by a thread', async () => {
    store = open();
    const size = () => statSync(file()).size;
    await insert(1, 'x'.repeat(2 ** 23));
    expect(size()).toBeLessThan(2 ** 20);
    await eventually(() => expect(size()).toBeGreaterThan(2 ** 23));
  });

  it('are committed together: another connection sees all or none', async () => {
    store = open();
    const other = new DatabaseSync(file(), { readOnly: true });
    const count = () => other.prepare('select count(*) as n from things').get()!['n'];
    const counts = new Set<unknown>();
    const watched = async (transaction: Transaction, n: number) => {
      await transaction.insert('things', thing(n));
      counts.add(count());
    };
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => store.transaction((transaction) => watched(transaction, n))),
    );
    expect([...counts]).toEqual([0]);
    expect(count()).toBe(20);
    other.close();
  });

  it('resolve only if their rows are stored, when the disk is full', async () => {
    store = open(40);
    const long = 'x'.repeat(3_000);
    const outcomes = await Promise.allSettled(Array.from({ length: 60 }, (_, n) => insert(n, `${n}${long}`)));
    const resolved = outcomes.map(({ status }) => status === 'fulfilled');
    expect(resolved).toContain(false);
    expect(await Promise.all(outcomes.map((_, n) => stored(n)))).toEqual(resolved);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ failure: { kind: 'full' } });
    }
  });

  it('fail together when what they have left for the commit does, and leave nothing', async () => {
    store = open();
    const failing = store.transaction(async (transaction) => {
      await transaction.insert('things', thing(1));
      await transaction.jobs.emit(() => {
        throw new Error('no event');
      });
    });
    const outcomes = await Promise.allSettled([failing, insert(2)]);
    expect(outcomes).toMatchObject(Array(2).fill({ status: 'rejected', reason: { message: 'no event' } }));
    await insert(3);
    expect(await Promise.all([1, 2, 3].map(stored))).toEqual([false, false, true]);
  });

  it('wait for a transaction that waits for something else', async () => {
    store = open();
    const order: string[] = [];
    const gate = Promise.withResolvers<void>();
    const slow = store.transaction(async (transaction) => {
      await transaction.insert('things', thing(1));
      await gate.promise;
      order.push('slow');
    });
    const quick = insert(2).then(() => order.push('quick'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(await stored(1)).toBe(false);
    gate.resolve();
    await Promise.all([slow, quick]);
    expect(order).toEqual(['slow', 'quick']);
  });
});

describe('transactions, while another program holds the lock of the file,', () => {
  const LIMIT_MS = 60_000;
  let nowMs: number;
  let holder: DatabaseSync;

  beforeEach(() => {
    nowMs = 0;
    store = openSqliteStore({ file: file(), resources: [things], busyTimeoutMs: LIMIT_MS, clock: () => nowMs });
    holder = new DatabaseSync(file());
    holder.exec('begin immediate');
  });
  afterEach(() => holder.close());

  it('fail together when the clock says so, however many wait', async () => {
    const outcomes = Promise.allSettled(Array.from({ length: 20 }, (_, n) => insert(n)));
    nowMs = LIMIT_MS;
    for (const outcome of await outcomes)
      expect(outcome).toMatchObject({ status: 'rejected', reason: { failure: { kind: 'unavailable' } } });
  });

  it('wait as long as the limit from their own arrival', async () => {
    const early = insert(1).catch(() => 'failed');
    nowMs = LIMIT_MS / 2;
    const late = insert(2);
    nowMs = LIMIT_MS;
    expect(await early).toBe('failed');
    holder.exec('rollback');
    await late;
    expect(await stored(2)).toBe(true);
  });

  it('leave the event loop free, and go on when it is released', async () => {
    const waiting = Promise.all([insert(1), insert(2)]);
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(await stored(1)).toBe(false);
    holder.exec('rollback');
    await waiting;
    expect(await Promise.all([1, 2].map(stored))).toEqual([true, true]);
  });
});
