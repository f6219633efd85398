import type { ResourceDescriptor } from '../../descriptor/resource.ts';
import type { Row, Store, Transaction } from '../../runtime/storage/index.ts';
import { type Dump, idOf, rowsIn } from './store-dump.ts';

/**
 * Makes a store equal to a dump of another, so that a difference is reported only once.
 * `resources` are ordered so that references point backwards.
 */
export async function repairStore(
  store: Store,
  have: Dump,
  want: Dump,
  resources: readonly ResourceDescriptor[],
): Promise<void> {
  // To write through a view changes any of the rows behind it.
  const tables = resources.filter(({ key }) => !store.jobs.views?.has(key));
  await store.transaction(async (transaction) => {
    for (const resource of tables)
      await add(transaction, resource, rowsIn(have, resource.key), rowsIn(want, resource.key));
    for (const resource of tables.toReversed())
      await remove(transaction, resource, rowsIn(have, resource.key), rowsIn(want, resource.key));
  });
}

async function add(
  transaction: Transaction,
  resource: ResourceDescriptor,
  have: readonly Row[],
  want: readonly Row[],
): Promise<void> {
  const known = new Map(have.map((row) => [idOf(resource, row), JSON.stringify(row)]));
  for (const row of want) {
    const id = idOf(resource, row);
    if (!known.has(id)) await transaction.insert(resource.key, row);
    else if (known.get(id) !== JSON.stringify(row)) await transaction.update(resource.key, row, changeable(resource));
  }
}

async function remove(
  transaction: Transaction,
  resource: ResourceDescriptor,
  have: readonly Row[],
  want: readonly Row[],
): Promise<void> {
  const wanted = new Set(want.map((row) => idOf(resource, row)));
  for (const row of have) {
    const id = idOf(resource, row);
    if (!wanted.has(id)) await transaction.delete(resource.key, id);
  }
}

function changeable({ properties }: ResourceDescriptor): string[] {
  return properties.map(({ name }) => name).filter((name) => name !== 'id');
}
