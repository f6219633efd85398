import type { Id } from '../../../descriptor/resource.ts';
import { ApiError } from '../../errors/api-error.ts';
import { rowsById } from '../../storage/rows-by-id.ts';
import type { Condition, Row, Transaction } from '../../storage/store.ts';
import { StoreError } from '../../storage/store-error.ts';
import type { Referrer, Resource } from '../resource/resource.ts';
import { updateRow } from './row-writer.ts';
import type { UnitOfWork } from './unit-of-work.ts';

/**
 * Deletes a row, and deletes or changes the rows that refer to it as the contract says (`x-on-delete`). A row that
 * loses a reference gets its next version, as in any change. `known` is the row as it was read, where it was. False when
 * there is no such row. Throws `STILL_REFERENCED`.
 */
export function deleteRow(unit: UnitOfWork, resource: Resource, id: Id, known?: Row): Promise<boolean> {
  return deleteOnce(unit, resource, id, new Set(), known);
}

/** `begun` holds the ids whose deletion has begun, because rows may refer to each other in a cycle. */
async function deleteOnce(
  unit: UnitOfWork,
  resource: Resource,
  id: Id,
  begun: Set<Id>,
  known: Row | undefined,
): Promise<boolean> {
  if (begun.has(id)) return false;
  begun.add(id);
  const { transaction, log } = unit;
  // Read first: in a cycle of cascades, the database deletes this row with the last of those that refer to it.
  const row = log.isWatched(resource) ? await transaction.get(resource.descriptor.key, id) : undefined;
  log.markStale(resource, 'delete', row ?? known);
  await log.markResighted(resource, row ?? known, transaction.unlocked, 'deleted');
  for (const referrer of resource.referrers) await release(unit, referrer, id, begun);
  if (row) await log.record('deleted', resource, row, transaction.unlocked);
  try {
    return await transaction.delete(resource.descriptor.key, id);
  } catch (error) {
    if (error instanceof StoreError && error.failure.kind === 'reference')
      throw await stillReferenced(transaction, resource, id, error);
    throw error;
  }
}

async function release(unit: UnitOfWork, referrer: Referrer, id: Id, begun: Set<Id>): Promise<void> {
  const { resource, property, onDelete } = referrer;
  const isLeftToDatabase = onDelete === 'cascade' && resource.referrers.length === 0 && !unit.log.isHeeded(resource);
  if (onDelete === 'restrict' || isLeftToDatabase) return;
  for await (const rows of rowsById(unit.transaction, resource.descriptor, referringTo(referrer, id)))
    for (const row of rows) {
      if (onDelete === 'set-null') await setNull(unit, resource, row, property);
      else await deleteOnce(unit, resource, resource.valueIn(row, 'id') as Id, begun, row);
    }
}

async function setNull(unit: UnitOfWork, resource: Resource, row: Row, property: string): Promise<void> {
  await updateRow(unit, resource, row, { ...resource.codec.toValues(row), [property]: null });
}

const referringTo = ({ property }: Referrer, id: Id): Condition[] => [{ property, operator: 'eq', value: id }];

async function stillReferenced(
  transaction: Transaction,
  resource: Resource,
  id: Id,
  cause: StoreError,
): Promise<ApiError> {
  for (const referrer of resource.referrers) {
    if (referrer.onDelete !== 'restrict') continue;
    const { key, name } = referrer.resource.descriptor;
    const order = [{ property: 'id', direction: 'asc' }] as const;
    const found = await transaction.list({ resource: key, conditions: referringTo(referrer, id), order, limit: 1 });
    if (found.length === 0) continue;
    return new ApiError('STILL_REFERENCED', {
      detail: `At least one ${name} refers to this ${resource.descriptor.name}.`,
      cause,
    });
  }
  return new ApiError('STILL_REFERENCED', { cause });
}
