import type { Id } from '../../../descriptor/resource.ts';
import type { Row } from '../../storage/store.ts';
import { rowWith } from '../access/row-with.ts';
import type { PathParams } from '../interface/call.ts';
import type { BatchItem } from '../resource/batch-items.ts';
import { normalized } from '../resource/normalize.ts';
import type { Resource } from '../resource/resource.ts';
import type { Values } from '../resource/row-codec.ts';
import type { Change } from './in-transaction.ts';

/** The actions that items are, of which an override may lock the rows above. */
const ACTION_OF = {
  create: 'create',
  update: 'update',
  replace: 'replace',
  delete: 'delete',
  upsert: 'update',
} as const;

/**
 * Locks all that the items of a batch are to write, in one order for all batches: the values of unique keys that they name, take
 * or leave, then their rows by id. Without that, two that insert the same values in different orders wait for each other in the
 * index. Only where transactions lock single rows.
 */
export async function lockItems(
  begun: Change,
  resource: Resource,
  items: readonly BatchItem[],
  params: PathParams,
): Promise<void> {
  if (items.length < 2) return;
  const { transaction, principal } = begun;
  for (const action of new Set(items.map(({ kind }) => ACTION_OF[kind])))
    await begun.withParents(resource, action, params);
  const rows = await namedRows(begun, resource, items, params);
  const { key, parent, owner, tenant, unique } = resource.descriptor;
  const placed = {
    ...(parent && { [parent.property]: params[parent.property] }),
    ...(owner && principal && { [owner.property]: principal.subject }),
    ...(tenant && { [tenant.property]: resource.tenancy?.tenantOf(principal) }),
  };
  const keys = resource.idMaker === 'caller' ? [['id'], ...unique] : unique;
  const names = items.flatMap(({ input, patch, key: named }, i) => {
    const current = rows[i] && resource.codec.toValues(rows[i]);
    const written = [current, input && { ...placed, ...current, ...named, ...input }];
    if (patch) written.push({ ...placed, ...current, ...named, ...patch });
    return written.flatMap((values) => (values ? keys.flatMap((one) => nameOf(resource, one, values)) : []));
  });
  if (names.length > 0) await transaction.lock([...new Set(names.map((name) => `${key} ${name}`))]);
  const ids = [...new Set(rows.flatMap((row) => (row ? [resource.valueIn(row, 'id') as Id] : [])))];
  if (ids.length === 0) return;
  const conditions = [{ property: 'id', operator: 'in', value: ids.sort(byOrder) } as const];
  await transaction.list({
    resource: key,
    conditions,
    order: [{ property: 'id', direction: 'asc' }],
    limit: ids.length,
  });
}

const byOrder = (a: Id, b: Id): number => (a < b ? -1 : a > b ? 1 : 0);

/** The rows that items name, as they are before the locks. */
async function namedRows(
  { transaction: { unlocked }, principal }: Change,
  resource: Resource,
  items: readonly BatchItem[],
  params: PathParams,
): Promise<readonly (Row | undefined)[]> {
  const ids = items.flatMap(({ id }) => (id === undefined ? [] : [resource.idOf(id)]));
  const found = ids.length > 0 ? await unlocked.getEach(resource.descriptor.key, [...new Set(ids)]) : [];
  const byId = new Map(found.map((row) => [resource.valueIn(row, 'id') as Id, row]));
  const rows: (Row | undefined)[] = [];
  for (const { id, key } of items) {
    if (id !== undefined) rows.push(byId.get(resource.idOf(id)));
    else rows.push(key && (await rowWith(unlocked, resource, key, params, principal)));
  }
  return rows;
}

/** The name of the values of a key; of one with a value that is missing, others may have the same. */
function nameOf(resource: Resource, key: readonly string[], values: Values): readonly string[] {
  const row = resource.codec.toRow(normalized(resource, Object.fromEntries(key.map((name) => [name, values[name]]))));
  const own = key.map((name) => resource.valueIn(row, name));
  return own.some((value) => value === null) ? [] : [JSON.stringify([key, own])];
}
