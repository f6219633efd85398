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

/** What one delete has come to. */
interface Deletion {
  /** The ids whose deletion has begun, because rows may refer to each other in a cycle. */
  readonly begun: Set<Id>;
  /** How many more rows it may delete or change. */
  left: number;
  readonly resource: Resource;
}

/** As many rows as the database deletes by itself in a few milliseconds. */
const FEW = 500;

/**
 * Deletes a row, and deletes or changes the rows that refer to it as the contract says (`x-on-delete`). A row that
 * loses a reference gets its next version, as in any change. `known` is the row as it was read, where it was. False when
 * there is no such row. Throws `STILL_REFERENCED`.
 */
export function deleteRow(unit: UnitOfWork, resource: Resource, id: Id, known?: Row): Promise<boolean> {
  return deleteOnce(unit, resource, id, { begun: new Set(), left: unit.maxDependants ?? Number.POSITIVE_INFINITY, resource }, known);
}

async function deleteOnce(
  unit: UnitOfWork,
  resource: Resource,
  id: Id,
  deletion: Deletion,
  known: Row | undefined,
): Promise<boolean> {
  if (deletion.begun.has(id)) return false;
  deletion.begun.add(id);
  const { transaction, log } = unit;
  // Read first: in a cycle of cascades, the database deletes this row with the last of those that refer to it.
  const row = log.isWatched(resource) ? await transaction.get(resource.descriptor.key, id) : undefined;
  log.markStale(resource, 'delete', row ?? known);
  await log.markResighted(resource, row ?? known, transaction.unlocked, 'deleted');
  for (const referrer of resource.referrers) await release(unit, referrer, id, deletion);
  if (row) await log.record('deleted', resource, row, transaction.unlocked);
  try {
    return await transaction.delete(resource.descriptor.key, id);
  } catch (error) {
    if (error instanceof StoreError && error.failure.kind === 'reference')
      throw await stillReferenced(unit, resource, id, error);
    throw error;
  }
}

/** Others have their turn between batches of rows: no statement is about many. */
async function release(unit: UnitOfWork, referrer: Referrer, id: Id, deletion: Deletion): Promise<void> {
  const { resource, property, onDelete } = referrer;
  if (onDelete === 'restrict') return;
  const { transaction, log } = unit;
  const referring = referringTo(referrer, id);
  const most = deletion.left === Number.POSITIVE_INFINITY ? FEW : deletion.left;
  const found = await transaction.count(resource.descriptor.key, referring, most + 1);
  deletion.left -= found;
  if (deletion.left < 0) throw tooMany(unit, referrer, deletion);
  const isLeaf = onDelete === 'cascade' && resource.referrers.length === 0;
  if (found === 0 || (isLeaf && found <= FEW && !log.isHeeded(resource))) return;
  for await (const rows of rowsById(transaction, resource.descriptor, referring))
    if (isLeaf) await deleteLeaves(unit, resource, rows);
    else
      for (const row of rows) {
        if (onDelete === 'set-null') await setNull(unit, resource, row, property);
        else await deleteOnce(unit, resource, resource.valueIn(row, 'id') as Id, deletion, row);
      }
}

/** Rows that nothing refers to. */
async function deleteLeaves({ transaction, log }: UnitOfWork, resource: Resource, rows: readonly Row[]): Promise<void> {
  for (const row of rows) {
    log.markStale(resource, 'delete', row);
    await log.markResighted(resource, row, transaction.unlocked, 'deleted');
    await log.record('deleted', resource, row, transaction.unlocked);
  }
  const ids = rows.map((row) => resource.valueIn(row, 'id') as Id);
  await transaction.deleteEach(resource.descriptor.key, ids);
}

function tooMany(
  { maxDependants, principal }: UnitOfWork,
  { resource, property }: Referrer,
  deletion: Deletion,
): ApiError {
  const { name } = deletion.resource.descriptor;
  const first = mayFilterBy(resource, property, principal) ? `, beginning with ${resource.descriptor.name}` : '';
  const detail = `More than ${maxDependants} others would be deleted or changed along with this ${name}: delete those first${first}.`;
  return new ApiError('STILL_REFERENCED', { detail });
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
