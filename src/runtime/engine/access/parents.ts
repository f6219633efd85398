import { type Id, namingProperty } from '../../../descriptor/resource.ts';
import type { RowAction } from '../../../descriptor/row-access.ts';
import { type MaybePromise, rejected, whenKnown } from '../../async/maybe-promise.ts';
import type { Principal } from '../../auth/principal.ts';
import type { Reader, Row } from '../../storage/store.ts';
import type { PathParams } from '../interface/call.ts';
import type { Resource } from '../resource/resource.ts';
import { equals } from './filter.ts';
import { idNamedBy, parentId, rowNamed } from './find.ts';
import { checkOwned } from './owner.ts';
import { checkAllowed } from './rules.ts';

/**
 * The parameters with the id of each ancestor that they name, by the child's property that holds it. Only where the
 * parameter of an ancestor is not its id does that take a statement. Throws `NOT_FOUND`.
 */
export function withAncestorIds(
  reader: Reader,
  resource: Resource,
  params: PathParams,
  principal: Principal | undefined,
): MaybePromise<PathParams> {
  const { parent, descriptor } = resource;
  if (!parent || !descriptor.parent || !resource.hasKeyedAncestor) return params;
  const { property } = descriptor.parent;
  return whenKnown(withAncestorIds(reader, parent, params, principal), (above) => {
    if (namingProperty(parent.descriptor) === 'id') return above;
    return whenKnown(idNamedBy(reader, parent, above, principal), (id) => ({
      ...above,
      [property]: id,
    }));
  });
}

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

/** The ids of a row's ancestors, as `withAncestorIds` gives them. */
export async function ancestorsOf(reader: Reader, resource: Resource, row: Row): Promise<PathParams> {
  const { parent, descriptor } = resource;
  if (!parent || !descriptor.parent) return {};
  const id = resource.parentIdIn(row);
  const above = parent.parent && (await reader.get(parent.descriptor.key, id));
  return { ...(above && (await ancestorsOf(reader, parent, above))), [descriptor.parent.property]: id };
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
    if (ownerPurpose === 'change') checkOwned(parent, row, principal);
    const above = action === 'read' || child.access?.[action] ? 'read' : 'update';
    const allowed =
      above === 'read'
        ? undefined
        : checkAllowed(reader, parent, parent.valueIn(row, 'id') as Id, principal, { action: above });
    return whenKnown(allowed, () => checkAbove(climb, parent, ownerPurpose, above));
  });
}

/** Names the ancestor that is not there, the topmost first: the same as for a caller that asks for the parent itself. */
const missingAbove = (climb: Climb, resource: Resource): MaybePromise<void> =>
  whenKnown(checkAbove(climb, resource, 'read', 'read'), () => rejected(resource.notFound));

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
    if (!(await reader.get(parent.descriptor.key, parentId(level, params), conditions))) throw parent.notFound;
  }
}
