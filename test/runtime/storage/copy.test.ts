import { describe, expect, it } from 'vitest';
import { sample } from '../../../contracts/samples/index.ts';
import { copyRows } from '../../../src/runtime/storage/database/copy.ts';
import { load, type SampleRow } from '../../../src/tools/start/sample.ts';
import { databases } from '../../support/databases.ts';
import { contractOf } from '../../support/service.ts';

const pairs = databases.flatMap((from) => databases.map((to) => ({ from, to, name: `${from.name} to ${to.name}` })));

/** Users, and the products that they like: rows that refer to what is copied after them. */
function* some(): Iterable<SampleRow> {
  for (const row of sample()) if (row.resource === 'users' || row.resource === 'products') yield row;
}

describe.each(pairs)('copying from $name', ({ from, to }) => {
  it('copies all rows and internal data', async () => {
    const { resources } = await contractOf('contracts');
    const source = await from.open(resources);
    const target = await to.open(resources);
    await load(source.store, resources, some());
    const secret = Buffer.from(await source.store.secret('cursor'));
    const expires = new Date('2026-01-16T12:00:00.5Z');
    await source.store.transaction(async (transaction) => transaction.remember('key', '{"a":1}', expires));

    const counts = await copyRows(source.store, target.store, resources);
    expect(counts.get('products')).toBe(1_000);
    expect(Buffer.from(await target.store.secret('cursor'))).toEqual(secret);
    expect(await target.store.exportInternalData()).toEqual(await source.store.exportInternalData());
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
    const expires = new Date('2026-01-16T12:00:00.5Z');
    await source.store.transaction(async (transaction) => transaction.remember('key', '{"a":1}', expires));
    const before = await target.store.exportInternalData();
    const { list } = source.store;
    const read = new Set<string>();
    source.store.list = async (query) => {
      const rows = await list.call(source.store, query);
      const isRead = read.has(query.resource);
      if (rows.length < query.limit) read.add(query.resource);
      return isRead ? rows.map((row, i) => (i === 7 ? row.with(4, 'other') : row)) : rows;
    };
    await expect(copyRows(source.store, target.store, resources)).rejects.toThrow(/users .+ differs from its copy/);
    for (const { key } of resources) expect([key, await target.store.count(key, [])]).toEqual([key, 0]);
    expect(await target.store.exportInternalData()).toEqual(before);
    await source.close();
    await target.close();
  });
});
