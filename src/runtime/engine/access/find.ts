import { type Id, namingProperty } from '../../../descriptor/resource.ts';
import type { RowAction } from '../../../descriptor/row-access.ts';
import { type MaybePromise, rejected, whenKnown } from '../../async/maybe-promise.ts';
import type { Principal } from '../../auth/principal.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { Condition, Reader, Row } from '../../storage/store.ts';
import type { PathParams } from '../interface/call.ts';
import { withRule } from '../resource/refusals.ts';
import type { Resource, RowName } from '../resource/resource.ts';
import { checkAllowed } from './checks.ts';
import { ownRows } from './filter.ts';
import { ownerRule } from './owner.ts';

export const equals = (property: string, value: Id): Condition => ({ property, operator: 'eq', value });

/** The conditions on the rows that this caller sees in the collection that the path names. */
export function visible(
  resource: Resource,
  params: PathParams,
  principal: Principal | undefined,
): readonly Condition[] {
  const { parent } = resource.descriptor;
  const own = ownRows(resource, principal);
  return parent ? [equals(parent.property, parentId(resource, params)), ...own] : own;
}

/** The id of the parent that a path names, which `withAncestorIds` has found where the path has another key. */
export const parentId = ({ descriptor: { parent }, parent: above }: Resource, params: PathParams): Id =>
  above!.idOf(params[parent!.property]!);

/** The rows with these ids whose ancestors, too, are visible to the caller, by id. Takes a statement for each level. */
export async function findEach(
  reader: Reader,
  resource: Resource,
  ids: readonly Id[],
  principal: Principal | undefined,
  rowsOf = ownRows,
): Promise<ReadonlyMap<Id, Row>> {
  const rows = await reader.getEach(resource.descriptor.key, ids, rowsOf(resource, principal));
  const byId = new Map(rows.map((row) => [resource.valueIn(row, 'id') as Id, row]));
  if (!resource.parent) return byId;
  const parentOf = (row: Row): Id => resource.valueIn(row, resource.descriptor.parent!.property) as Id;
  const parents = await findEach(reader, resource.parent, [...new Set(rows.map(parentOf))], principal, rowsOf);
  for (const [id, row] of byId) if (!parents.has(parentOf(row))) byId.delete(id);
  return byId;
}

/** The row that a path names, if it is visible to the caller. Throws `NOT_FOUND`. */
export const find = (
  reader: Reader,
  resource: Resource,
  params: PathParams,
  principal: Principal | undefined,
): MaybePromise<Row> =>
  whenKnown(rowNamed(reader, resource, resource.nameOf(params), params, principal), (row) => present(resource, row));

/** `find` of one resource. */
export function finderOf(
  resource: Resource,
): (reader: Reader, params: PathParams, principal: Principal | undefined) => MaybePromise<Row> {
  const { key } = resource.descriptor;
  if (!isOpen(resource)) return (reader, params, principal) => find(reader, resource, params, principal);
  return (reader, params) => {
    const { property, value } = resource.nameOf(params);
    return whenKnown(reader.get(key, value, NO_CONDITIONS, property), (row) => present(resource, row));
  };
}

/** Whether any caller sees each row that its path names. */
const isOpen = ({ descriptor: { owner, parent }, tenancy, access }: Resource): boolean =>
  !parent && !tenancy && !access?.read && (!owner || owner.reads === 'anyone');

const rowNamed = (
  reader: Reader,
  resource: Resource,
  { property, value }: RowName,
  params: PathParams,
  principal: Principal | undefined,
): MaybePromise<Row | undefined> =>
  reader.get(resource.descriptor.key, value, visibleBy(property, resource, params, principal), property);

function visibleBy(property: string, resource: Resource, params: PathParams, principal: Principal | undefined) {
  const conditions = visible(resource, params, principal);
  const keyed = keyedRows(resource, property, principal);
  return keyed.length === 0 ? conditions : [...keyed, ...conditions];
}

/**
 * Where tenants have keys of their own, a key names a row of the caller's tenant, also to a caller who sees those of
 * all; an id is the same for all.
 */
export function keyedRows(
  { tenancy }: Resource,
  property: string,
  principal: Principal | undefined,
): readonly Condition[] {
  if (!tenancy || property === 'id') return NO_CONDITIONS;
  const tenant = tenancy.tenantOf(principal);
  return tenant === undefined ? NO_ROWS : [equals(tenancy.property, tenant)];
}

const NO_CONDITIONS: readonly Condition[] = [];
const NO_ROWS: readonly Condition[] = [{ property: 'id', operator: 'in', value: [] }];

/** The row that a path names, if the caller sees it and its ancestors. Throws `NOT_FOUND` for missing ancestors. */
export async function findVisible(
  reader: Reader,
  resource: Resource,
  params: PathParams,
  principal: Principal | undefined,
): Promise<Row | undefined> {
  await checkParents(reader, resource, params, principal, 'read');
  return rowNamed(reader, resource, resource.nameOf(params), params, principal);
}

/**
 * Rejects instead of throwing: V8 does not optimize functions that end by throwing, which makes them as slow as the
 * rest of the request.
 */
function present(resource: Resource, row: Row | undefined): MaybePromise<Row> {
  return row ?? rejected(notFound(resource));
}

/** The ids of a row's ancestors, as `withAncestorIds` gives them. */
export async function ancestorsOf(reader: Reader, resource: Resource, row: Row): Promise<PathParams> {
  const { parent } = resource;
  if (!parent) return {};
  const { property } = resource.descriptor.parent!;
  const id = resource.valueIn(row, property) as Id;
  const above = parent.parent && (await reader.get(parent.descriptor.key, id));
  return { ...(above && (await ancestorsOf(reader, parent, above))), [property]: id };
}

export function notFound({ descriptor }: Resource): ApiError {
  return new ApiError('NOT_FOUND', { detail: `No ${descriptor.name} has this ${namingProperty(descriptor)}.` });
}

/**
 * Checks that the parents that the path names exist, belong to each other and are visible to the caller. A caller who
 * changes a child must also be allowed to change its parent: by the owner rule, unless the child has an owner of its
 * own; by `x-access`, unless the child has a rule of its own for the action. Throws `NOT_FOUND`, `FORBIDDEN`.
 */
export function checkParents(
  reader: Reader,
  resource: Resource,
  params: PathParams,
  principal: Principal | undefined,
  action: RowAction,
): MaybePromise<void> {
  if (!resource.parent) return undefined;
  return checkAbove({ reader, params, principal }, resource, action === 'read' ? 'read' : 'change', action);
}

interface Climb {
  readonly reader: Reader;
  readonly params: PathParams;
  readonly principal: Principal | undefined;
}

/** `purpose` is that of the owner rule, and `action` that of `x-access`. */
function checkAbove(climb: Climb, child: Resource, purpose: 'read' | 'change', action: RowAction): MaybePromise<void> {
  const { parent } = child;
  if (!parent) return undefined;
  const { reader, params, principal } = climb;
  const name = { property: 'id', value: parentId(child, params) };
  return whenKnown(rowNamed(reader, parent, name, params, principal), (row) => {
    if (!row) return missingAbove(climb, parent);
    const ownerPurpose = child.descriptor.owner ? 'read' : purpose;
    if (ownerPurpose === 'change') checkOwned(parent, row, principal, 'change');
    const above = action === 'read' || child.access?.[action] ? 'read' : 'update';
    const allowed = above === 'read' ? undefined : checkAllowed(reader, parent, row, principal, above);
    return whenKnown(allowed, () => checkAbove(climb, parent, ownerPurpose, above));
  });
}

/** Names the ancestor that is not there, the topmost first: the same as for who asks for the parent itself. */
const missingAbove = (climb: Climb, resource: Resource): MaybePromise<void> =>
  whenKnown(checkAbove(climb, resource, 'read', 'read'), () => rejected(notFound(resource)));

/** Checks that a new row has parents of its own tenant, where its caller sees those of all. Throws `NOT_FOUND`. */
export async function checkParentTenant(
  reader: Reader,
  resource: Resource,
  params: PathParams,
  principal: Principal | undefined,
): Promise<void> {
  const { tenancy } = resource;
  if (!tenancy?.seesAll(principal)) return;
  const tenant = tenancy.forNew(principal);
  for (let level = resource; level.parent; level = level.parent) {
    const { parent } = level;
    if (!parent.tenancy) continue;
    const conditions = [equals(parent.tenancy.property, tenant)];
    if (!(await reader.get(parent.descriptor.key, parentId(level, params), conditions))) throw notFound(parent);
  }
}

/** Throws `FORBIDDEN` when another caller owns the row, unless the purpose is to read what all may read. */
export function checkOwned(
  resource: Resource,
  row: Row,
  principal: Principal | undefined,
  purpose: 'read' | 'change',
): void {
  const rule = ownerRule(resource, principal, purpose);
  if (rule.kind === 'all' || resource.valueIn(row, rule.property) === rule.subject) return;
  const detail = `This ${resource.descriptor.name} belongs to another caller.`;
  throw new ApiError('FORBIDDEN', { detail: withRule(detail, resource.refusals?.owner()) });
}
