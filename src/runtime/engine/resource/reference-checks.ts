import { childPointer } from '../../../descriptor/json-pointer.ts';
import type { Id, PropertyDescriptor } from '../../../descriptor/resource.ts';
import type { Principal } from '../../auth/principal.ts';
import { ApiError, type FieldError } from '../../errors/api-error.ts';
import type { Reader, Row } from '../../storage/store.ts';
import type { PathParams, WriteCall } from '../interface/call.ts';
import { normalize } from './normalize.ts';
import type { Resource } from './resource.ts';
import type { Values } from './row-codec.ts';
import { tenancyWithin, tenantOfRow } from './tenant-of-row.ts';
import { findEach, parentId } from './visibility.ts';

/**
 * Checks that the caller reads the rows that an input refers to, where `x-access` says who does: one that it does not is
 * like one that is not there, and so is one of another tenant than the row's. What the row refers to already stays as
 * it is, and what is immutable cannot be changed, whatever it names. Throws `REFERENCE_NOT_FOUND`.
 */
export async function checkReferences(
  reader: Reader,
  resource: Resource,
  input: Values,
  current: Row | undefined,
  { params, caller: { principal } }: WriteCall,
): Promise<void> {
  const errors: FieldError[] = [];
  const across = tenancyWithin(resource)?.seesAll(principal);
  const tenant = across ? await tenantOfWritten(reader, resource, current, params, principal) : undefined;
  for (const property of resource.references) {
    const { name } = property;
    const target = resource.targets.get(name)!;
    const id = normalize(property, input[name]) as Id | null | undefined;
    if (!target.isSighted || id == null || (current && isKept(resource, property, current, id))) continue;
    const found = await findEach(reader, target, [id], principal);
    const row = found.get(id);
    if (!row || (await isForeign(reader, target, row, tenant))) errors.push(danglingReference(resource, name, id));
  }
  if (errors.length > 0) throw referenceNotFound(errors);
}

const isKept = (resource: Resource, { name, immutable }: PropertyDescriptor, current: Row, id: Id): boolean =>
  immutable === true || resource.valueIn(current, name) === id;

/** The tenant of a row that is changed, or is to be made, by a caller who finds rows of all tenants. */
async function tenantOfWritten(
  reader: Reader,
  resource: Resource,
  current: Row | undefined,
  params: PathParams,
  principal: Principal | undefined,
): Promise<Id | undefined> {
  const { tenancy, parent } = resource;
  if (current) return tenantOfRow(reader, resource, current);
  if (tenancy) return tenancy.tenantOf(principal);
  const above = await reader.get(parent!.descriptor.key, parentId(resource, params));
  return above && tenantOfRow(reader, parent!, above);
}

/** Whether a row belongs to another tenant. */
async function isForeign(reader: Reader, target: Resource, row: Row, tenant: Id | undefined): Promise<boolean> {
  if (tenant === undefined || !tenancyWithin(target)) return false;
  return (await tenantOfRow(reader, target, row)) !== tenant;
}

/** Whether `checkReferences` has anything to check. */
export const refersToSighted = ({ targets }: Resource): boolean =>
  [...targets.values()].some(({ isSighted }) => isSighted);

export const danglingReference = (resource: Resource, property: string, id: Id): FieldError => ({
  pointer: childPointer('', property),
  code: 'REFERENCE_NOT_FOUND',
  detail: `no ${resource.targets.get(property)!.descriptor.name} has the id ${id}`,
});

export function referenceNotFound(errors: readonly FieldError[], cause?: unknown): ApiError {
  return new ApiError('REFERENCE_NOT_FOUND', {
    detail: 'The resource refers to another that does not exist.',
    errors,
    ...(cause !== undefined && { cause }),
  });
}
