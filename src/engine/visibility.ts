import type { Principal } from '../auth/principal.ts';
import { rowRule } from '../auth/row-rule.ts';
import { ApiError } from '../errors/api-error.ts';
import type { Condition, Reader, Row } from '../storage/store.ts';
import type { PathParams } from './call.ts';
import type { Resource } from './resource.ts';

const equals = (property: string, value: string): Condition => ({ property, operator: 'eq', value });

/** What every row of the collection that the path names must meet for this caller to see it. */
export function visible(resource: Resource, params: PathParams, principal: Principal | undefined): Condition[] {
  const { parent, owner } = resource.descriptor;
  const conditions = parent ? [equals(parent.property, params[parent.parameter]!.toLowerCase())] : [];
  const rule = rowRule(owner, principal, 'read');
  if (rule.kind === 'own') conditions.push(equals(rule.property, rule.subject));
  return conditions;
}

/** The row, if the caller may see it. Throws `NOT_FOUND`. */
export async function find(
  reader: Reader,
  resource: Resource,
  id: string,
  params: PathParams,
  principal: Principal | undefined,
): Promise<Row> {
  const row = await reader.get(resource.descriptor.key, id.toLowerCase(), visible(resource, params, principal));
  if (!row) throw new ApiError('NOT_FOUND', { detail: `No ${resource.descriptor.name} has this id.` });
  return row;
}

/**
 * The parents that the path names exist, belong to each other and are the caller's to see; to change a child that has
 * no owner of its own, the parent must be the caller's to change. Throws `NOT_FOUND`, `FORBIDDEN`.
 */
export async function checkParents(
  reader: Reader,
  resource: Resource,
  params: PathParams,
  principal: Principal | undefined,
  purpose: 'read' | 'change',
): Promise<void> {
  const { parent } = resource;
  if (!parent) return;
  const id = params[resource.descriptor.parent!.parameter]!;
  const row = await find(reader, parent, id, params, principal);
  const inherited = resource.descriptor.owner ? 'read' : purpose;
  if (inherited === 'change') checkChangeable(parent, row, principal);
  await checkParents(reader, parent, params, principal, parent.descriptor.owner ? 'read' : inherited);
}

/** Throws `FORBIDDEN` when the caller sees the row but another owns it. */
export function checkChangeable(resource: Resource, row: Row, principal: Principal | undefined): void {
  const rule = rowRule(resource.descriptor.owner, principal, 'change');
  if (rule.kind === 'all' || resource.valueIn(row, rule.property) === rule.subject) return;
  throw new ApiError('FORBIDDEN', { detail: `This ${resource.descriptor.name} belongs to another caller.` });
}
