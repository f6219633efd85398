import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRowCodec } from '../../../../src/runtime/engine/resource/row-codec.ts';
import { openPostgresStore } from '../../../../src/runtime/storage/postgres/postgres-store.ts';
import type { Row, Store } from '../../../../src/runtime/storage/store.ts';
import { postgresFor } from '../../../support/databases.ts';
import { property, resource } from '../../../support/descriptors.ts';
import { hasPostgres } from '../../../support/postgres.ts';

const things = resource('things', 'Thing', [property('rank', { type: 'integer' })]);
const codec = createRowCodec(things.properties);
const rank = things.properties.findIndex(({ name }) => name === 'rank');
const time = '2026-01-01T00:00:00.000Z';
const id = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const thing = (n: number): Row => codec.toRow({ id: id(n), version: 1, createdAt: time, updatedAt: time, rank: 0 });

/** Of Postgres alone: the transactions of SQLite run one after the other. */
describe.skipIf(!hasPostgres)('two transactions that wait for each other', () => {
  let database: Awaited<ReturnType<typeof postgresFor>>;
  let store: Store;

  beforeEach(async () => {
    database = await postgresFor([things]);
    // Postgres looks for deadlocks after a second; on a busy machine that and the next statement take longer than usual.
    store = await openPostgresStore({
      url: database.url,
      resources: [things],
      connections: 4,
      statementTimeoutMs: 20_000,
    });
  });
  afterEach(async () => {
    await store.close();
    await database.giveBack();
  });

  it('both come through: the one that Postgres ends is run again', async () => {
    for (const n of [0, 1]) await store.transaction((transaction) => transaction.insert('things', thing(n)));
    const begun = Promise.withResolvers<void>();
    let waiting = 0;
    const bothBegun = (): Promise<void> => {
      if (++waiting === 2) begun.resolve();
      return begun.promise;
    };
    const raise = async (...order: readonly [number, number]): Promise<number> => {
      let attempts = 0;
      await store.transaction(async (transaction) => {
        attempts++;
        for (const n of order) {
          const row = (await transaction.get('things', id(n)))!;
          await transaction.update('things', row.with(rank, (row[rank] as number) + 10), ['rank']);
          await bothBegun();
        }
      });
      return attempts;
    };
    const attempts = await Promise.all([raise(0, 1), raise(1, 0)]);
    expect(attempts.toSorted()).toEqual([1, 2]);
    for (const n of [0, 1]) expect((await store.get('things', id(n)))![rank]).toBe(20);
  });
});
