import { setImmediate as turn } from 'node:timers/promises';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRowCodec } from '../../../src/runtime/engine/resource/row-codec.ts';
import { openPostgresStore } from '../../../src/runtime/storage/postgres/postgres-store.ts';
import type { Store } from '../../../src/runtime/storage/store.ts';
import { postgresFor } from '../../support/databases.ts';
import { property, resource } from '../../support/descriptors.ts';
import { eventually } from '../../support/eventually.ts';
import { hasPostgres } from '../../support/postgres.ts';

const things = resource('things', 'Thing', [property('name')]);
const others = resource('others', 'Other', [property('name')]);
const codec = createRowCodec(things.properties);
const time = '2026-01-01T00:00:00.000Z';
const id = '00000000-0000-7000-8000-000000000001';
const row = codec.toRow({ id, version: 1, createdAt: time, updatedAt: time, name: 'Blue mug' });
const named = (resource: string) =>
  ({
    resource,
    conditions: [{ property: 'name', operator: 'contains', value: 'MUG' }],
    order: [{ property: 'id', direction: 'asc' }],
    limit: 5,
  }) as const;

describe.skipIf(!hasPostgres)('a table that is locked as a whole, on Postgres,', () => {
  let store: Store;
  let holder: pg.Client;
  let giveBack: () => Promise<unknown>;

  beforeEach(async () => {
    const database = await postgresFor([things, others]);
    giveBack = database.giveBack;
    store = await openPostgresStore({
      url: database.url,
      resources: [things, others],
      connections: 2,
      statementTimeoutMs: 60_000,
    });
    for (const name of ['things', 'others']) await store.transaction((transaction) => transaction.insert(name, row));
    holder = new pg.Client(database.url);
    await holder.connect();
    await holder.query('begin; lock table things in access exclusive mode');
  });
  afterEach(async () => {
    await holder.end();
    await store.close();
    await giveBack();
  });

  it('delays no read of another, nor an expensive one, nor the check of the database', async () => {
    const waiting = Promise.all(Array.from({ length: 50 }, () => store.get('things', id)));
    for (let round = 0; round < 20; round++) {
      expect(await store.get('others', id)).toEqual(row);
      expect(await store.list(named('others'))).toEqual([row]);
      await store.ping();
    }
    await holder.query('rollback');
    expect((await waiting).every((one) => one !== undefined)).toBe(true);
  });

  it('is read as before once it is released', async () => {
    const waiting = store.get('things', id);
    await turn();
    await holder.query('rollback');
    expect(await waiting).toEqual(row);
    await eventually(async () => expect(await store.list(named('things'))).toEqual([row]));
  });
});
