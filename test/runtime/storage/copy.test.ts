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

describe('a copy that is not the same', () => {
  it('is reported', async () => {
    const { resources } = await contractOf('contracts');
    const [source, target] = await Promise.all([databases[0]!.open(resources), databases[0]!.open(resources)]);
    await load(source.store, resources, some());
    const { list } = target.store;
    target.store.list = async (query) => {
      const rows = await list.call(target.store, query);
      return rows.map((row, i) => (i === 7 ? row.with(4, 'other') : row));
    };
    await expect(copyRows(source.store, target.store, resources)).rejects.toThrow(/users .+ differs from its copy/);
    await source.close();
    await target.close();
  });
});
