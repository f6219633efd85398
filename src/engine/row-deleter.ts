import { ApiError } from '../errors/api-error.ts';
import type { Row, Transaction } from '../storage/store.ts';
import { StoreError } from '../storage/store-error.ts';
import type { Referrer, Resource } from './resource.ts';
import { updateRow } from './row-writer.ts';

const BATCH = 500;

/**
 * Deletes a row and does to those that refer to it what the contract says (`x-on-delete`).
 * A row that loses a reference gets its next version, as in any change.
 * Throws `STILL_REFERENCED`; false when there is no such row.
 */
export function deleteRow(transaction: Transaction, resource: Resource, id: string, now: Date): Promise<boolean> {
  return deleteOnce(transaction, resource, id, now, new Set());
}

/** `begun` holds the ids whose deletion has begun: rows may refer to each other in a circle. */
async function deleteOnce(
  transaction: Transaction,
  resource: Resource,
  id: string,
  now: Date,
  begun: Set<string>,
): Promise<boolean> {
  if (begun.has(id)) return false;
  begun.add(id);
  for (const referrer of resource.referrers) await release(transaction, referrer, id, now, begun);
  try {
    return await transaction.delete(resource.descriptor.key, id);
  } catch (error) {
    if (error instanceof StoreError && error.failure.kind === 'reference')
      throw await stillReferenced(transaction, resource, id, error);
    throw error;
  }
}

async function release(
  transaction: Transaction,
  referrer: Referrer,
  id: string,
  now: Date,
  begun: Set<string>,
): Promise<void> {
  const { resource, property, onDelete } = referrer;
  if (onDelete === 'restrict' || (onDelete === 'cascade' && resource.referrers.length === 0)) return;
  for (let rows: readonly Row[] = [], last = ''; ; last = resource.valueIn(rows.at(-1)!, 'id') as string) {
    rows = await referring(transaction, referrer, id, BATCH, last);
    for (const row of rows) {
      if (onDelete === 'set-null') await setNull(transaction, resource, row, property, now);
      else await deleteOnce(transaction, resource, resource.valueIn(row, 'id') as string, now, begun);
    }
    if (rows.length < BATCH) return;
  }
}

async function setNull(
  transaction: Transaction,
  resource: Resource,
  row: Row,
  property: string,
  now: Date,
): Promise<void> {
  await updateRow(transaction, resource, row, { ...resource.codec.toValues(row), [property]: null }, now);
}

/** Some of the rows that refer to `id`, in the order of their own ids, from behind `last` on. */
function referring(transaction: Transaction, { resource, property }: Referrer, id: string, limit: number, last = '') {
  return transaction.list({
    resource: resource.descriptor.key,
    conditions: [{ property, operator: 'eq', value: id }],
    order: [{ property: 'id', direction: 'asc' }],
    after: [last],
    limit,
  });
}

async function stillReferenced(
  transaction: Transaction,
  resource: Resource,
  id: string,
  cause: StoreError,
): Promise<ApiError> {
  for (const referrer of resource.referrers) {
    if (referrer.onDelete !== 'restrict' || (await referring(transaction, referrer, id, 1)).length === 0) continue;
    const { name } = referrer.resource.descriptor;
    return new ApiError('STILL_REFERENCED', {
      detail: `At least one ${name} refers to this ${resource.descriptor.name}.`,
      cause,
    });
  }
  return new ApiError('STILL_REFERENCED', { cause });
}
