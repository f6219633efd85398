import { ApiError } from '../errors/api-error.ts';
import type { Row, Transaction } from '../storage/store.ts';
import { StoreError } from '../storage/store-error.ts';
import type { Referrer, Resource } from './resource.ts';
import { updateRow } from './row-writer.ts';
import type { Work } from './work.ts';

const BATCH = 500;

/**
 * Deletes a row and does to those that refer to it what the contract says (`x-on-delete`).
 * A row that loses a reference gets its next version, as in any change.
 * Throws `STILL_REFERENCED`; false when there is no such row.
 */
export function deleteRow(work: Work, resource: Resource, id: string): Promise<boolean> {
  return deleteOnce(work, resource, id, new Set());
}

/** `begun` holds the ids whose deletion has begun: rows may refer to each other in a circle. */
async function deleteOnce(work: Work, resource: Resource, id: string, begun: Set<string>): Promise<boolean> {
  if (begun.has(id)) return false;
  begun.add(id);
  const { transaction, log } = work;
  log.touch(resource, 'delete');
  for (const referrer of resource.referrers) await release(work, referrer, id, begun);
  const row = log.isWatched(resource) ? await transaction.get(resource.descriptor.key, id) : undefined;
  if (row) await log.record('deleted', resource, row, transaction.unlocked);
  try {
    return await transaction.delete(resource.descriptor.key, id);
  } catch (error) {
    if (error instanceof StoreError && error.failure.kind === 'reference')
      throw await stillReferenced(transaction, resource, id, error);
    throw error;
  }
}

async function release(work: Work, referrer: Referrer, id: string, begun: Set<string>): Promise<void> {
  const { resource, property, onDelete } = referrer;
  const isLeftToDatabase = onDelete === 'cascade' && resource.referrers.length === 0 && !work.log.isWatched(resource);
  if (onDelete === 'restrict' || isLeftToDatabase) return;
  for (
    let rows: readonly Row[] = [], last: string | undefined;
    ;
    last = resource.valueIn(rows.at(-1)!, 'id') as string
  ) {
    rows = await referring(work.transaction, referrer, id, BATCH, last);
    for (const row of rows) {
      if (onDelete === 'set-null') await setNull(work, resource, row, property);
      else await deleteOnce(work, resource, resource.valueIn(row, 'id') as string, begun);
    }
    if (rows.length < BATCH) return;
  }
}

async function setNull(work: Work, resource: Resource, row: Row, property: string): Promise<void> {
  await updateRow(work, resource, row, { ...resource.codec.toValues(row), [property]: null });
}

/** Some of the rows that refer to `id`, in the order of their own ids, from behind `last` on. */
function referring(
  transaction: Transaction,
  { resource, property }: Referrer,
  id: string,
  limit: number,
  last?: string,
) {
  return transaction.list({
    resource: resource.descriptor.key,
    conditions: [{ property, operator: 'eq', value: id }],
    order: [{ property: 'id', direction: 'asc' }],
    ...(last !== undefined && { after: [last] }),
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
