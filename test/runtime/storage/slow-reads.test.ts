import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRowCodec } from '../../../src/runtime/engine/resource/row-codec.ts';
import { openSqliteStore } from '../../../src/runtime/storage/sqlite/sqlite-store.ts';
import type { Row, RowQuery, Store } from '../../../src/runtime/storage/store.ts';
import { property, resource } from '../../support/descriptors.ts';

const ROWS = 6_000;
const things = resource('things', 'Thing', [property('name'), property('rank', { type: 'integer' })]);
const codec = createRowCodec(things.properties);
const time = '2026-01-01T00:00:00.000Z';
const id = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const thing = (n: number): Row =>
  codec.toRow({ id: id(n), version: 1, createdAt: time, updatedAt: time, name: `Thing ${n}.`, rank: n % 7 });

const named = (text: string): RowQuery => ({
  resource: 'things',
  conditions: [{ property: 'name', operator: 'contains', value: text }],
  order: [{ property: 'id', direction: 'asc' }],
  limit: 50,
});

describe('expensive reads of a large table, on SQLite,', () => {
  let folder: string;
  let store: Store;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lockstep-slow-'));
    store = openSqliteStore({ file: join(folder, 'test.db'), resources: [things] });
    const rows = Array.from({ length: ROWS }, (_, n) => thing(n));
    await store.transaction((transaction) => transaction.insertAll('things', rows));
  });
  afterAll(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });

  it('run beside the event loop, while reads by key are answered at once', async () => {
    const listed = store.list(named('THING 599'));
    const counted = store.count('things', named('g 1').conditions);
    expect(store.get('things', id(7))).toEqual(thing(7));
    expect([listed, counted].map((one) => one instanceof Promise)).toEqual([true, true]);
    expect((await listed).map(([first]) => first)).toEqual(
      [599, ...Array.from({ length: 10 }, (_, n) => 5990 + n)].map(id),
    );
    expect(await counted).toBe(1 + 10 + 100 + 1000);
  });

  it('see what was written before', async () => {
    await store.transaction((transaction) => transaction.insert('things', thing(77_777)));
    expect(await store.list(named('77777'))).toEqual([thing(77_777)]);
  });

  it('fail as other reads do', async () => {
    const other = new DatabaseSync(join(folder, 'test.db'));
    other.exec('alter table things rename to elsewhere');
    await expect(Promise.resolve(store.list(named('599')))).rejects.toMatchObject({
      failure: { kind: 'missing', what: 'table things' },
    });
    other.exec('alter table elsewhere rename to things');
    other.close();
    expect(await store.list(named('thing 599.'))).toEqual([thing(599)]);
  });

  it('end when the database is closed', async () => {
    const own = openSqliteStore({ file: join(folder, 'test.db'), resources: [things], isMigrated: true });
    const reads = Promise.allSettled([own.list(named('599')), own.list(named('598')), own.list(named('597'))]);
    await own.close();
    expect((await reads).map(({ status }) => status)).toContain('rejected');
  });
});

describe('a small table, on SQLite,', () => {
  it('is read at once', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lockstep-slow-'));
    const store = openSqliteStore({ file: join(folder, 'test.db'), resources: [things] });
    await store.transaction((transaction) => transaction.insert('things', thing(1)));
    expect(store.list(named('thing'))).toEqual([thing(1)]);
    await store.close();
    await rm(folder, { recursive: true });
  });
});
