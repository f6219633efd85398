import { childPointer } from '../../../descriptor/json-pointer.ts';
import type { Principal } from '../../auth/principal.ts';
import { rowRule } from '../../auth/row-rule.ts';
import { ApiError } from '../../errors/api-error.ts';
import { isUuid } from '../../schema/formats.ts';
import { normalize } from './normalize.ts';
import type { Resource } from './resource.ts';
import type { Values } from './row-codec.ts';

/**
 * The values of a new row with its owner: the caller, unless a scope exempts it from the owner rule and it names
 * another owner. Throws `FORBIDDEN` when the caller's subject cannot own such a row.
 */
export function withOwner(resource: Resource, values: Values, principal: Principal | undefined): Values {
  const { owner } = resource.descriptor;
  if (!owner || !principal) return values;
  const isExempt = rowRule(owner, principal, 'change').kind === 'all';
  if (isExempt && (owner.property === 'id' || values[owner.property] != null)) return values;
  return { ...values, [owner.property]: subjectAs(resource, owner.property, principal) };
}

function subjectAs(resource: Resource, property: string, { subject }: Principal): string {
  const owner = resource.property.get(property)!;
  if (owner.type !== 'uuid' || isUuid(subject)) return normalize(owner, subject) as string;
  throw new ApiError('FORBIDDEN', {
    detail: `The token's subject is not a UUID, so it cannot own a ${resource.descriptor.name}.`,
  });
}

/** Throws `FORBIDDEN` when a caller that is bound by the owner rule gives its row to another owner. */
export function checkOwnerUnchanged(
  resource: Resource,
  next: Values,
  current: Values,
  principal: Principal | undefined,
): void {
  const { owner } = resource.descriptor;
  if (!owner || next[owner.property] === current[owner.property]) return;
  if (rowRule(owner, principal, 'change').kind === 'all') return;
  const detail = 'only a caller with access to the rows of others may change the owner';
  throw new ApiError('FORBIDDEN', { detail, errors: [{ pointer: childPointer('', owner.property), detail }] });
}
