import { isDeepStrictEqual } from 'node:util';
import type { PropertyDescriptor } from '../../../descriptor/resource.ts';
import { parseStored } from '../../../descriptor/written-number.ts';
import type { MaybePromise } from '../../async/maybe-promise.ts';
import type { Row, StoredValue } from '../../storage/store.ts';
import { StoreError } from '../../storage/store-error.ts';
import { equals } from '../access/filter.ts';
import { subjectAs } from '../access/owner.ts';
import type { Resource } from '../resource/resource.ts';
import type { Values } from '../resource/row-codec.ts';
import { RowChanged } from './isolation.ts';
import type { RowCheck, UpdateChecks } from './row-checks.ts';
import type { UnitOfWork } from './unit-of-work.ts';
import { explained } from './write-faults.ts';

/**
 * Writes the properties that differ, and the next version. When none differs, nothing is written and the current row is
 * returned, unless `isForced`. Throws `ALREADY_EXISTS`, `REFERENCE_NOT_FOUND`, `RowChanged`, and what the checks throw.
 */
export async function updateRow(
  unit: UnitOfWork,
  resource: Resource,
  current: Row,
  values: Values,
  { isForced, judge, whenTaken, input }: UpdateChecks = {},
): Promise<Row> {
  const { transaction, now, log, principal } = unit;
  const { actors, tenancy } = resource;
  const { updated } = actors;
  const next: StoredValue[] = [...resource.codec.toRow(values)];
  if (tenancy) next[resource.index(tenancy.property)] = resource.valueIn(current, tenancy.property);
  if (!isForced && isAsBefore(resource, next, current)) return current;
  const version = resource.valueIn(current, 'version');
  if (typeof version === 'number') next[resource.index('version')] = version + 1;
  const { createdAt, updatedAt } = resource.names;
  if (resource.property.has(createdAt)) next[resource.index(createdAt)] = resource.valueIn(current, createdAt);
  if (resource.property.has(updatedAt))
    next[resource.index(updatedAt)] = noEarlier(now.toISOString(), resource.valueIn(current, updatedAt) as string);
  if (updated) {
    const i = resource.index(updated.name);
    if (next[i] === current[i]) next[i] = subjectAs(resource, updated, principal) ?? null;
  }
  if (judge) await judge(next);
  const changed = changedIn(resource, next, current);
  log.markStale(resource, 'write', next);
  // Without its lock, the row is written at the version that it had.
  const seen = unit.isAlone && [equals('version', version as number)];
  if (seen) await log.announce(resource, next);
  const along = { given: input, event: log.outgoing?.alone('updated', resource, next, current) };
  const update = () => transaction.update(resource.descriptor.key, next, changed, seen || undefined, along);
  const kept = await written(unit, resource, next, update, whenTaken);
  if (!kept) throw new RowChanged('The row has another version, or is gone.');
  await log.markResighted(resource, kept, transaction.unlocked, changed);
  await log.record('updated', resource, kept, transaction.unlocked, current);
  return kept;
}

/** The clock of an instance may be behind that of the one that wrote last. Both are in UTC, with milliseconds. */
const noEarlier = (time: string, last: string): string => (time < last ? last : time);

/** Whether all that the caller, and not the server, decides is as it was. A loop, as this is on the way of each update. */
function isAsBefore({ descriptor: { properties } }: Resource, next: Row, current: Row): boolean {
  for (let i = 0; i < next.length; i++)
    if (
      next[i] !== current[i] &&
      properties[i]!.origin !== 'managed' &&
      !isEqual(properties[i]!, next[i]!, current[i]!)
    )
      return false;
  return true;
}

/** The names of the properties with another value. */
function changedIn({ descriptor: { properties } }: Resource, next: Row, current: Row): readonly string[] {
  const changed: string[] = [];
  for (let i = 0; i < next.length; i++) if (next[i] !== current[i]) changed.push(properties[i]!.name);
  return changed;
}

/** JSON objects are equal whatever the order of their members. */
function isEqual({ type }: PropertyDescriptor, a: StoredValue, b: StoredValue): boolean {
  if (type !== 'json' || a === null || b === null) return a === b;
  return isDeepStrictEqual(parseStored(a as string), parseStored(b as string));
}

/** Writes a row; what a failure means is said to the caller. */
export async function written<R extends Row | undefined>(
  unit: UnitOfWork,
  resource: Resource,
  row: Row,
  write: () => MaybePromise<R>,
  whenTaken: RowCheck | undefined,
): Promise<R> {
  try {
    return await write();
  } catch (error) {
    if (whenTaken && error instanceof StoreError && error.failure.kind === 'unique') await whenTaken(row);
    throw await explained(error, unit, resource, row);
  }
}
