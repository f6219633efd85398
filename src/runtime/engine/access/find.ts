import type { Id } from '../../../descriptor/resource.ts';
import { type MaybePromise, rejected, whenKnown } from '../../async/maybe-promise.ts';
import type { Principal } from '../../auth/principal.ts';
import type { Columns, Condition, Reader, Row } from '../../storage/store.ts';
import type { PathParams } from '../interface/call.ts';
import type { Resource, RowName } from '../resource/resource.ts';
import { equals, NOTHING } from './filter.ts';

const NO_CONDITIONS: readonly Condition[] = [];

/** The conditions on the rows that a caller sees in the collection that the path names. */
export function filterAt(
  resource: Resource,
  params: PathParams,
  principal: Principal | undefined,
): readonly Condition[] {
  const { parent } = resource.descriptor;
  const own = resource.filter.own(principal);
  return parent ? [equals(parent.property, parentId(resource, params)), ...own] : own;
}

/** The id of the parent that a path names, which `withAncestorIds` has found where the path has another key. */
export function parentId({ descriptor, parent }: Resource, params: PathParams): Id {
  if (!parent || !descriptor.parent) throw new Error(`${descriptor.name} has no parent.`);
  const id = params[descriptor.parent.property];
  // It has been deleted since its row was read.
  if (id === undefined) throw parent.notFound;
  return parent.idOf(id);
}

/** The row that a path names, if it is visible to the caller. Throws `NOT_FOUND`. */
export const find = (
  reader: Reader,
  resource: Resource,
  params: PathParams,
  principal: Principal | undefined,
  columns?: Columns,
): MaybePromise<Row> => {
  const { property, value } = resource.nameOf(params);
  const conditions = seenAt(resource, property, params, principal);
  const named = reader.get(resource.descriptor.key, value, conditions, property, columns);
  return whenKnown(named, (row) => present(resource, row));
};

/** The row that a name names, if it is visible to the caller in the collection of the path. */
export const rowNamed = (
  reader: Reader,
  resource: Resource,
  { property, value }: RowName,
  params: PathParams,
  principal: Principal | undefined,
): MaybePromise<Row | undefined> =>
  reader.get(resource.descriptor.key, value, seenAt(resource, property, params, principal), property);

/** The conditions on a row that a property names. */
export function seenAt(
  resource: Resource,
  property: string,
  params: PathParams,
  principal: Principal | undefined,
): readonly Condition[] {
  const seen = filterAt(resource, params, principal);
  return resource.tenancy ? [...keyedRows(resource, property, principal), ...seen] : seen;
}

/**
 * Where tenants have keys of their own, a key names a row of the caller's tenant, also to a caller who sees those of
 * all; an id is the same for all.
 */
function keyedRows({ tenancy }: Resource, property: string, principal: Principal | undefined): readonly Condition[] {
  if (!tenancy || property === 'id') return NO_CONDITIONS;
  const tenant = tenancy.tenantOf(principal);
  return tenant === undefined ? NOTHING : [equals(tenancy.property, tenant)];
}

/**
 * Rejects instead of throwing: V8 does not optimize functions that end by throwing, which makes them as slow as the
 * rest of the request.
 */
const present = (resource: Resource, row: Row | undefined): MaybePromise<Row> => row ?? rejected(resource.notFound);

/** The id of the row that the parameters name, in the caller's tenant, whoever may see it. Throws `NOT_FOUND`. */
export function idNamedBy(
  reader: Reader,
  resource: Resource,
  params: PathParams,
  principal: Principal | undefined,
): MaybePromise<Id> {
  const { property, value } = resource.nameOf(params);
  if (property === 'id') return value;
  const named = reader.get(resource.descriptor.key, value, keyedRows(resource, property, principal), property);
  return whenKnown(named, (row) => (row ? (resource.valueIn(row, 'id') as Id) : rejected(resource.notFound)));
}
