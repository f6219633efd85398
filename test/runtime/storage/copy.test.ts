import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sample } from '../../../contracts/samples/index.ts';
import type { ResourceDescriptor } from '../../../src/descriptor/resource.ts';
import type { MaybePromise } from '../../../src/runtime/async/maybe-promise.ts';
import { copyRows } from '../../../src/runtime/storage/database/copy.ts';
import {
  admitServer,
  type DatabaseLocation,
  migrateDatabase,
  openStore,
} from '../../../src/runtime/storage/database/database.ts';
import type { Reader, Row, Store } from '../../../src/runtime/storage/store.ts';
import { load, type SampleRow } from '../../../src/tools/sample.ts';
import { databases } from '../../support/databases.ts';
import { withFolder } from '../../support/folder.ts';
import { ownRowsOf } from '../../support/own-rows.ts';
import { makeDatabase } from '../../support/postgres.ts';
import { contractOf } from '../../support/service.ts';

const pairs = databases.flatMap((from) => databases.map((to) => ({ from, to, name: `${from.name} to ${to.name}` })));

const expires = new Date('2026-01-16T12:00:00.5Z');

/** Users, and the products that they like: rows that refer to what is copied after them. */
function* some(): Iterable<SampleRow> {
  for (const row of sample()) if (row.resource === 'users' || row.resource === 'products') yield row;
}

const rememberedBy = (store: Store) => ownRowsOf(store, 'lockstep_memory');
const internalDataOf = (store: Store) => Promise.all([rememberedBy(store), ownRowsOf(store, 'lockstep_secret')]);

/** Has a say in the rows that a copy is about to write. */
function interceptInserts(
  store: Store,
  intercept: (key: string, rows: readonly Row[]) => MaybePromise<readonly Row[]>,
) {
  const transaction = store.transaction.bind(store);
  store.transaction = (work, ...rest) =>
    transaction(
      (one) => {
        const insertAll = one.insertAll.bind(one);
        one.insertAll = async (key, rows) => insertAll(key, await intercept(key, rows));
        return work(one);
      },
      ...rest,
    );
}

describe.each(pairs)('copying from $name', ({ from, to }) => {
  it('copies all rows and internal data', async () => {
    const { resources } = await contractOf('contracts');
    const source = await from.open(resources);
    const target = await to.open(resources);
    await load(source.store, resources, some());
    const secret = Buffer.from(await source.store.secret('cursor'));
    await source.store.transaction(async (transaction) => transaction.remember('key', '{"a":1}', expires));

    const counts = await copyRows(source.store, target.store, resources);
    expect(counts.get('products')).toBe(1_000);
    expect(Buffer.from(await target.store.secret('cursor'))).toEqual(secret);
    expect(await internalDataOf(target.store)).toEqual(await internalDataOf(source.store));
    await expect(copyRows(source.store, target.store, resources)).rejects.toThrow(
      '--to: the target already has rows of users.',
    );
    await source.close();
    await target.close();
  });
});

describe.each(pairs)('a copy from $name that is not the same', ({ from, to }) => {
  it('is reported, and leaves nothing', async () => {
    const { resources } = await contractOf('contracts');
    const [source, target] = [await from.open(resources), await to.open(resources)];
    await load(source.store, resources, some());
    await source.store.transaction(async (transaction) => transaction.remember('key', '{"a":1}', expires));
    const before = await internalDataOf(target.store);
    interceptInserts(target.store, (key, rows) =>
      key === 'users' ? rows.map((row, i) => (i === 7 ? row.with(4, 'other') : row)) : rows,
    );
    await expect(copyRows(source.store, target.store, resources)).rejects.toThrow(/users .+ differs from its copy/);
    for (const { key } of resources) expect([key, await target.store.count(key, [])]).toEqual([key, 0]);
    expect(await internalDataOf(target.store)).toEqual(before);
    await source.close();
    await target.close();
  });
});

const BY_ID = [{ property: 'id', direction: 'asc' }] as const;

/** What changes in one transaction at a time: the name of the first user and the first product, and what is remembered. */
class State {
  readonly #store: Store;
  readonly #nameOf: ReadonlyMap<string, number>;

  constructor(store: Store, resources: readonly ResourceDescriptor[]) {
    const at = resources.map(
      ({ key, properties }) => [key, properties.findIndex(({ name }) => name === 'name')] as const,
    );
    this.#store = store;
    this.#nameOf = new Map(at);
  }

  write(name: string): Promise<void> {
    return this.#store.transaction(async (transaction) => {
      for (const key of ['users', 'products']) {
        const row = await this.#first(transaction.unlocked, key);
        await transaction.update(key, row.with(this.#nameOf.get(key)!, name), ['name']);
      }
      await transaction.remember('name', name, expires);
    });
  }

  async read(): Promise<readonly unknown[]> {
    const rows = [await this.#first(this.#store, 'users'), await this.#first(this.#store, 'products')];
    const [remembered] = await rememberedBy(this.#store);
    return [rows[0]![this.#nameOf.get('users')!], rows[1]![this.#nameOf.get('products')!], remembered?.[1]];
  }

  async #first(reader: Reader, resource: string): Promise<Row> {
    return (await reader.list({ resource, conditions: [], order: BY_ID, limit: 1 }))[0]!;
  }
}

describe.each(pairs)('a copy from $name while others write', ({ from, to }) => {
  it('is one state of the source, and is compared with that', async () => {
    const { resources } = await contractOf('contracts');
    const [source, target] = [await from.open(resources), await to.open(resources)];
    await load(source.store, resources, some());
    const [original, copy] = [new State(source.store, resources), new State(target.store, resources)];
    let writes = 0;
    const write = () => original.write(`name ${++writes}`);
    await write();
    interceptInserts(target.store, async (_key, rows) => {
      await write();
      return rows;
    });
    await copyRows(source.store, target.store, resources);
    expect(await copy.read()).toEqual(['name 1', 'name 1', 'name 1']);
    expect(writes).toBeGreaterThan(2);
    expect(await original.read()).toEqual(Array(3).fill(`name ${writes}`));
    await source.close();
    await target.close();
  });
});

describe.each(pairs)('a copy from $name', ({ from, to }) => {
  it('marks its target until it has ended, and may run again', async () => {
    const { resources } = await contractOf('cats');
    await withFolder({}, async (folder) => {
      const place: DatabaseLocation =
        to.name === 'Postgres'
          ? { kind: 'postgres', url: await makeDatabase() }
          : { kind: 'sqlite', file: join(folder, 'target.db') };
      const settings = { sqliteSynchronous: 'full', databaseConnections: 2, statementTimeoutMs: 60_000 } as const;
      const migrations = join(folder, 'migrations');
      const begin = () => migrateDatabase(place, { resources }, migrations, { isFilledByCopy: true });
      const why = 'A copy into this database has begun and not ended';
      await begin();
      await expect(migrateDatabase(place, { resources }, migrations)).rejects.toThrow(why);
      await expect(admitServer(place, { resources }, migrations)).rejects.toThrow(why);
      await begin();
      const source = await from.open(resources);
      const target = await openStore(place, resources, settings);
      await copyRows(source.store, target, resources);
      await target.close();
      await source.close();
      await admitServer(place, { resources }, migrations);
      await migrateDatabase(place, { resources }, migrations);
    });
  });
});
