import type { Id } from '../../../descriptor/resource.ts';
import { isAuthorized } from '../../auth/authorize.ts';
import type { Principal } from '../../auth/principal.ts';
import { ApiError } from '../../errors/api-error.ts';
import { rowsById } from '../../storage/rows-by-id.ts';
import type { Condition, Row } from '../../storage/store.ts';
import { StoreError } from '../../storage/store-error.ts';
import { mayFilterBy } from '../access/field-checks.ts';
import { equals } from '../access/filter.ts';
import { rowsSeenBy } from '../access/sight.ts';
import type { Referrer, Resource } from '../resource/resource.ts';
import { updateRow } from './row-writer.ts';
import type { UnitOfWork } from './unit-of-work.ts';

/** What one delete has come to. */
interface Deletion {
  /** The rows whose deletion has begun, by resource and id, because rows may refer to each other in a cycle. */
  readonly begun: Set<string>;
  /** How many more rows it may delete or change. */
  left: number;
}

/** As many rows as the database deletes by itself in a few milliseconds. */
const FEW = 500;

/**
 * Deletes a row, and deletes or changes the rows that refer to it as the contract says (`x-on-delete`), whosever they
 * are. A row that loses a reference gets its next version, as in any change. `known` is the row as it was read, where it
 * was. False when there is no such row. Throws `STILL_REFERENCED`.
 */
export function deleteRow(unit: UnitOfWork, resource: Resource, id: Id, known?: Row): Promise<boolean> {
  return deleteOnce(
    unit,
    resource,
    id,
    { begun: new Set(), left: unit.maxDependants ?? Number.POSITIVE_INFINITY },
    known,
  );
}

async function deleteOnce(
  unit: UnitOfWork,
  resource: Resource,
  id: Id,
  deletion: Deletion,
  known: Row | undefined,
): Promise<boolean> {
  const name = `${resource.descriptor.key} ${id}`;
  if (deletion.begun.has(name)) return false;
  deletion.begun.add(name);
  const { transaction, log } = unit;
  // Read first: in a cycle of cascades, the database deletes this row with the last of those that refer to it.
  const row = known && !isPassedOn(resource) ? known : await transaction.get(resource.descriptor.key, id);
  // What refers to a row that is out of reach stays as it is.
  if (!row) return false;
  // Foreign keys of a table of others take along rows that the role of the server may have no right to.
  const { mapped } = resource.descriptor;
  if (deletion.begun.size === 1 && !mapped) await refuseIfHeld(unit, resource, id);
  log.markStale(resource, 'delete', row);
  await log.markResighted(resource, row, transaction.unlocked, 'deleted');
  const referrers = mapped ? [] : resource.referrers.filter(({ onDelete }) => onDelete !== 'restrict');
  // A row that comes behind the list of its resource would be changed by the database, and nobody would hear of it.
  if (!referrers.every(isLeftToDatabase)) await transaction.lockReferences(resource.descriptor.key, id);
  for (const referrer of referrers) await release(unit, referrer, resource, id, deletion);
  const record = await log.recording('deleted', resource, row, transaction.unlocked);
  try {
    const isThere = await transaction.delete(resource.descriptor.key, id);
    record();
    return isThere;
  } catch (error) {
    if (error instanceof StoreError && error.failure.kind === 'reference')
      throw await stillReferenced(unit, resource, id, error);
    throw error;
  }
}

/**
 * Throws `STILL_REFERENCED` for rows that the delete does not take along, before it does all the rest. The database asks
 * again: it knows of those that others add meanwhile.
 */
async function refuseIfHeld(unit: UnitOfWork, resource: Resource, id: Id): Promise<void> {
  const whole = unit.transaction.whereReferred(resource.descriptor.key);
  for (const { resource: from, property } of resource.forbidders)
    if ((await whole.count(from.descriptor.key, [equals(property, id)], 1)) > 0)
      throw await stillReferenced(unit, resource, id);
}

/** Others have their turn between batches of rows: no statement is about many. */
async function release(unit: UnitOfWork, referrer: Referrer, to: Resource, id: Id, deletion: Deletion): Promise<void> {
  const { resource, property, onDelete } = referrer;
  // The database does the same to rows of other tenants.
  const whole = { ...unit, transaction: unit.transaction.whereReferred(to.descriptor.key) };
  const { transaction } = whole;
  const referring = [equals(property, id)];
  const most = deletion.left === Number.POSITIVE_INFINITY ? FEW : deletion.left;
  const found = await transaction.count(resource.descriptor.key, referring, most + 1);
  deletion.left -= found;
  if (deletion.left < 0) throw tooMany(unit, referrer);
  if (found === 0 || (found <= FEW && isLeftToDatabase(referrer))) return;
  for await (const rows of rowsById(transaction, resource.descriptor, referring))
    if (isLeaf(referrer)) await deleteLeaves(whole, resource, rows);
    else
      for (const row of rows) {
        if (onDelete === 'set-null') await setNull(whole, resource, row, property);
        else await cascade(whole, referrer, to, row, deletion);
      }
}

/** Whether rows are deleted that nothing refers to. */
const isLeaf = ({ resource, onDelete }: Referrer): boolean => onDelete === 'cascade' && resource.referrers.length === 0;

/** Whether few of them may be. */
const isLeftToDatabase = (referrer: Referrer): boolean => isLeaf(referrer) && !isHeeded(referrer.resource);

/** Whether anybody may hear of a change: of the rows, or of others that come in or out of sight by it. */
const isHeeded = (resource: Resource): boolean => isPassedOn(resource) || resource.watchers.length > 0;

/** Whether subscribers, or code after the commit, get the rows that change. */
const isPassedOn = ({ isWatched, consumed }: Resource): boolean => isWatched || consumed !== undefined;

/** Rows that nothing refers to. */
async function deleteLeaves({ transaction, log }: UnitOfWork, resource: Resource, rows: readonly Row[]): Promise<void> {
  const records: (() => void)[] = [];
  for (const row of rows) {
    log.markStale(resource, 'delete', row);
    await log.markResighted(resource, row, transaction.unlocked, 'deleted');
    records.push(await log.recording('deleted', resource, row, transaction.unlocked));
  }
  const ids = rows.map((row) => resource.valueIn(row, 'id') as Id);
  await transaction.deleteEach(resource.descriptor.key, ids);
  for (const record of records) record();
}

/** Names what to delete first, unless it is what the caller may not read. */
function tooMany({ maxDependants, principal }: UnitOfWork, { resource, property }: Referrer): ApiError {
  const isNamed = mayReadSome(resource, principal) && mayFilterBy(resource, property, principal);
  const name = isNamed ? `the ${resource.descriptor.name} rows` : 'those';
  const detail = `More than ${maxDependants} others would be deleted or changed along with this: delete ${name} first.`;
  return new ApiError('STILL_REFERENCED', { detail });
}

async function setNull(unit: UnitOfWork, resource: Resource, row: Row, property: string): Promise<void> {
  await updateRow(unit, resource, row, { ...resource.codec.toValues(row), [property]: null });
}

/** Whoever may not read the row hears nothing of what refers to it. */
async function cascade(
  unit: UnitOfWork,
  referrer: Referrer,
  to: Resource,
  row: Row,
  deletion: Deletion,
): Promise<void> {
  const { resource } = referrer;
  const id = resource.valueIn(row, 'id') as Id;
  try {
    await deleteOnce(unit, resource, id, deletion, row);
  } catch (error) {
    if (!(error instanceof ApiError) || (await isReadable(unit, referrer, equals('id', id)))) throw error;
    throw refused(to, 'Other resources refer', error);
  }
}

/** Names what refers to the row, unless all of it is what the caller may not read. */
async function stillReferenced(unit: UnitOfWork, resource: Resource, id: Id, cause?: StoreError): Promise<ApiError> {
  for (const referrer of resource.referrers) {
    const { onDelete, property } = referrer;
    if (onDelete === 'restrict' && (await isReadable(unit, referrer, equals(property, id))))
      return refused(resource, `At least one ${referrer.resource.descriptor.name} refers`, cause);
  }
  return refused(resource, 'Other resources refer', cause);
}

const refused = ({ descriptor: { name } }: Resource, what: string, cause?: Error): ApiError =>
  new ApiError('STILL_REFERENCED', { detail: `${what} to this ${name}.`, ...(cause && { cause }) });

/** Whether the caller may read a row that meets the condition, and what it refers to. */
async function isReadable(
  { transaction, principal }: UnitOfWork,
  { resource, property }: Referrer,
  condition: Condition,
): Promise<boolean> {
  if (!mayReadSome(resource, principal) || !mayFilterBy(resource, property, principal)) return false;
  const seen = [condition, ...rowsSeenBy(resource, principal)];
  return (await transaction.unlocked.count(resource.descriptor.key, seen, 1)) > 0;
}

function mayReadSome({ descriptor: { actions } }: Resource, principal: Principal | undefined): boolean {
  return [actions.list, actions.get].some((action) => action && isAuthorized(action.access, principal));
}
