import type { Id } from '../../../descriptor/resource.ts';
import { ApiError } from '../../errors/api-error.ts';
import { rowsById } from '../../storage/rows-by-id.ts';
import type { Condition, Row } from '../../storage/store.ts';
import { StoreError } from '../../storage/store-error.ts';
import { mayFilterBy } from '../resource/field-queries.ts';
import type { Referrer, Resource } from '../resource/resource.ts';
import { rowsInSight } from '../resource/sight.ts';
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
      throw await stillReferenced(unit, resource, id, error);
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

/** Names what refers to the row, unless all of it is what the caller may not read. */
async function stillReferenced(
  { transaction, principal }: UnitOfWork,
  resource: Resource,
  id: Id,
  cause: StoreError,
): Promise<ApiError> {
  const refusal = (what: string) =>
    new ApiError('STILL_REFERENCED', { detail: `${what} to this ${resource.descriptor.name}.`, cause });
  for (const referrer of resource.referrers) {
    if (referrer.onDelete !== 'restrict' || !mayFilterBy(referrer.resource, referrer.property, principal)) continue;
    const { key, name } = referrer.resource.descriptor;
    const seen = referrer.resource.isSighted ? rowsInSight(referrer.resource, principal) : [];
    const conditions = [...referringTo(referrer, id), ...seen];
    const order = [{ property: 'id', direction: 'asc' }] as const;
    const found = await transaction.list({ resource: key, conditions, order, limit: 1 });
    if (found.length > 0) return refusal(`At least one ${name} refers`);
  }
  return refusal('Other resources refer');
}
