import { isDeepStrictEqual } from 'node:util';
import { ConfigError } from '../../../descriptor/config-error.ts';
import { type InsertionTurn, insertionOrder } from '../../../descriptor/insertion-order.ts';
import { lookUp } from '../../../descriptor/look-up.ts';
import {
  type Id,
  type PropertyDescriptor,
  type ResourceDescriptor,
  resourceWithKey,
} from '../../../descriptor/resource.ts';
import { parseStored } from '../../../descriptor/written-number.ts';
import { inOrderOf, rowsById } from '../rows-by-id.ts';
import type { Reader, Row, Snapshot, Store, StoredValue } from '../store.ts';
import { StoreError } from '../store-error.ts';

/**
 * Copies all rows and the server's internal data into an empty database, and compares every row, in one transaction: a copy
 * that fails leaves nothing. Whoever writes to the source meanwhile, what is copied is one state of it. Either may keep the
 * rows of tenants in a layout of its own. `onRows` gets the number of all rows so far. Returns the number of rows by resource.
 * Throws `ConfigError` when the target has rows, when a copied row differs, or when a row refers to one that the target keeps
 * apart from it.
 */
export async function copyRows(
  source: Store,
  target: Store,
  resources: readonly ResourceDescriptor[],
  onRows: (copied: number) => void = () => undefined,
): Promise<ReadonlyMap<string, number>> {
  for (const { key } of resources)
    if ((await target.count(key, [])) > 0) throw new ConfigError([`--to: the target already has rows of ${key}.`]);
  if ((await target.jobs.list({})).length > 0) throw new ConfigError(['--to: the target already has jobs.']);
  let all = 0;
  const write = (from: Snapshot) =>
    target.transaction(async (transaction) => {
      const turns = (await transaction.deferReferences()) ? resources.map(whole) : turnsOf(resources);
      const copied = new Map<string, number>();
      const read = (resource: ResourceDescriptor) =>
        rowsById(from, resource, [], inOrderOf(source.keyOf(resource.key)));
      for (const { resource, later } of turns) {
        const { key } = resource;
        let count = 0;
        for await (const rows of read(resource)) {
          const tenants = await tenantsIn(from, target, resources, resource, rows);
          await transaction.insertAll(key, rows.map(without(resource, later)), tenants);
          count += rows.length;
          all += rows.length;
          onRows(all);
        }
        copied.set(key, count);
      }
      for (const { resource, later } of turns.filter((turn) => turn.later.length > 0))
        for await (const rows of read(resource))
          for (const row of rows) await transaction.update(resource.key, row, later);
      await transaction.importOwnRows(from.ownRows());
      for (const resource of resources) {
        const { key } = resource;
        const [before, after] = [source.keyOf(key), target.keyOf(key)];
        if (before.join() === after.join()) await compare(from, transaction.unlocked, resource, before);
        else await compareById(from, transaction.unlocked, resource, { before, after, count: lookUp(copied, key) });
      }
      return copied;
    });
  try {
    return await source.snapshot(write);
  } catch (error) {
    if (!(error instanceof StoreError) || error.failure.kind !== 'reference') throw error;
    const why = error.cause instanceof Error ? `: ${error.cause.message}` : '';
    throw new ConfigError([`--to: a row refers to one that is not there, or is of another tenant${why}.`]);
  }
}

/** Rows that may refer to each other in a circle. */
const whole = (resource: ResourceDescriptor): InsertionTurn => ({ resource, later: [] });

/** Throws `ConfigError` for resources whose rows require each other. */
function turnsOf(resources: readonly ResourceDescriptor[]): readonly InsertionTurn[] {
  const { turns, left } = insertionOrder(resources);
  if (left.length === 0) return turns;
  const keys = left.map(({ key }) => key).join(', ');
  throw new ConfigError([
    `--to: Citus checks references at once. Rows of ${keys} require each other, so that none is first.`,
  ]);
}

/** A row with null for some of its properties. */
const without =
  ({ properties }: ResourceDescriptor, names: readonly string[]) =>
  (row: Row): Row =>
    names.length === 0 ? row : row.map((value, i) => (names.includes(properties[i]?.name ?? '') ? null : value));

/** The tenants of rows, by those above them, if the target has them in a column without a property; undefined if not. */
async function tenantsIn(
  from: Snapshot,
  target: Store,
  resources: readonly ResourceDescriptor[],
  { key, properties, parent }: ResourceDescriptor,
  rows: readonly Row[],
): Promise<readonly (Id | undefined)[] | undefined> {
  const [first] = target.keyOf(key);
  if (properties.some(({ name }) => name === first)) return undefined;
  // The source has it, too.
  if (rows.some((row) => row.length > properties.length)) return rows.map((row) => row[properties.length] as Id);
  const at = properties.findIndex(({ name }) => name === parent?.property);
  const above = resourceWithKey(resources, parent?.resource ?? '');
  const ids = rows.map((row) => row[at] as Id);
  const parents = await from.getEach(above.key, [...new Set(ids)]);
  const own = above.tenant?.property;
  const tenantAt = above.properties.findIndex(({ name }) => name === own);
  const tenants = own
    ? parents.map((row) => row[tenantAt] as Id)
    : await tenantsIn(from, target, resources, above, parents);
  const idAt = above.properties.findIndex(({ name }) => name === 'id');
  const byId = new Map(parents.map((row, i) => [row[idAt], tenants?.[i]]));
  return ids.map((id) => byId.get(id));
}

async function compare(
  source: Snapshot,
  target: Reader,
  resource: ResourceDescriptor,
  key: readonly string[],
): Promise<void> {
  const order = inOrderOf(key);
  const others = rowsById(target, resource, [], order);
  for await (const rows of rowsById(source, resource, [], order)) {
    const { value: copies = [] } = await others.next();
    for (const [i, row] of rows.entries()) refuseOther(resource, row, copies[i]);
  }
  if (!(await others.next()).done) throw new ConfigError([`The copy has more rows of ${resource.key}.`]);
}

/** Walks by the key that begins with the tenant, and finds the other side's rows by their ids. */
async function compareById(
  source: Snapshot,
  target: Reader,
  resource: ResourceDescriptor,
  {
    before,
    after,
    count,
  }: { readonly before: readonly string[]; readonly after: readonly string[]; readonly count: number },
): Promise<void> {
  const { key, properties } = resource;
  const isOfSource = before.length > 1;
  const [walked, found, order] = isOfSource ? [source, target, before] : [target, source, after];
  const at = properties.findIndex(({ name }) => name === 'id');
  let seen = 0;
  for await (const rows of rowsById(walked, resource, [], inOrderOf(order))) {
    const others = await found.getEach(
      key,
      rows.map((row) => row[at] as Id),
    );
    const byId = new Map(others.map((row) => [row[at] as Id, row]));
    for (const row of rows) refuseOther(resource, row, byId.get(row[at] as Id));
    seen += rows.length;
  }
  const copies = isOfSource ? await target.count(key, []) : seen;
  if (copies !== count) throw new ConfigError([`The copy has ${copies} rows of ${key}, not ${count}.`]);
}

function refuseOther({ key, properties }: ResourceDescriptor, row: Row, copy: Row | undefined): void {
  if (!isSame(properties, row, copy)) throw new ConfigError([`${key} ${row[0]} differs from its copy.`]);
}

/** JSON objects are equal whatever the order of their members. */
function isSame(properties: readonly PropertyDescriptor[], row: Row, copy: Row | undefined): boolean {
  const parsed = ({ type }: PropertyDescriptor, value: StoredValue | undefined): unknown =>
    type === 'json' && typeof value === 'string' ? parseStored(value) : value;
  return (
    copy !== undefined && properties.every((one, i) => isDeepStrictEqual(parsed(one, row[i]), parsed(one, copy[i])))
  );
}
