import { isDeepStrictEqual } from 'node:util';
import { ConfigError } from '../../../descriptor/config-error.ts';
import type { PropertyDescriptor, ResourceDescriptor } from '../../../descriptor/resource.ts';
import { parseStored } from '../../../descriptor/written-number.ts';
import { rowsById } from '../rows-by-id.ts';
import type { Reader, Row, Snapshot, Store, StoredValue } from '../store.ts';

/**
 * Copies all rows and the server's internal data into an empty database, and compares every row, in one transaction: a copy
 * that fails leaves nothing. Whoever writes to the source meanwhile, what is copied is one state of it. `onRows` gets the
 * number of all rows so far. Returns the number of rows by resource. Throws `ConfigError` when the target has rows, or when
 * a copied row differs.
 */
export async function copyRows(
  source: Store,
  target: Store,
  resources: readonly ResourceDescriptor[],
  onRows: (copied: number) => void = () => undefined,
): Promise<ReadonlyMap<string, number>> {
  for (const { key } of resources)
    if ((await target.count(key, [])) > 0) throw new ConfigError([`--to: the target already has rows of ${key}.`]);
  let all = 0;
  const write = (from: Snapshot) =>
    target.transaction(async (transaction) => {
      // Rows may refer to each other in a cycle.
      await transaction.deferReferences();
      const copied = new Map<string, number>();
      for (const resource of resources) {
        let count = 0;
        for await (const rows of rowsById(from, resource)) {
          await transaction.insertAll(resource.key, rows);
          count += rows.length;
          all += rows.length;
          onRows(all);
        }
        copied.set(resource.key, count);
      }
      await transaction.importInternalData(await from.exportInternalData());
      for (const resource of resources) await compare(from, transaction.unlocked, resource);
      return copied;
    });
  return source.snapshot(write);
}

async function compare(source: Snapshot, target: Reader, resource: ResourceDescriptor): Promise<void> {
  const others = rowsById(target, resource);
  for await (const rows of rowsById(source, resource)) {
    const { value: copies = [] } = await others.next();
    rows.forEach((row, i) => {
      if (!isSame(resource.properties, row, copies[i]))
        throw new ConfigError([`${resource.key} ${row[0]} differs from its copy.`]);
    });
  }
  if (!(await others.next()).done) throw new ConfigError([`The copy has more rows of ${resource.key}.`]);
}

/** JSON objects are equal whatever the order of their members. */
function isSame(properties: readonly PropertyDescriptor[], row: Row, copy: Row | undefined): boolean {
  const parsed = (value: StoredValue, i: number): unknown =>
    properties[i]!.type === 'json' && value !== null ? parseStored(value as string) : value;
  return copy !== undefined && isDeepStrictEqual(row.map(parsed), copy.map(parsed));
}
