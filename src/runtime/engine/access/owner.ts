import { childPointer } from '../../../descriptor/json-pointer.ts';
import type { Principal } from '../../auth/principal.ts';
import { ApiError } from '../../errors/api-error.ts';
import { normalize } from '../resource/normalize.ts';
import { withRule } from '../resource/refusals.ts';
import type { Resource } from '../resource/resource.ts';
import type { Values } from '../resource/row-codec.ts';
import { type RowRule, rowRule } from './row-rule.ts';
import { subjectAs } from './subject.ts';

/** `rowRule` of a resource, whose subject is spelled as the rows spell it: a UUID in lower case (RFC 9562, 4). */
export function ownerRule(
  { descriptor, property }: Resource,
  principal: Principal | undefined,
  purpose: 'read' | 'change',
): RowRule {
  const rule = rowRule(descriptor.owner, principal, purpose);
  if (rule.kind === 'all') return rule;
  return { ...rule, subject: normalize(property.get(rule.property)!, rule.subject) as string };
}

/**
 * The values of a new row with its owner: the caller, unless a scope exempts it from the owner rule and it names
 * another owner. Throws `FORBIDDEN` when any other caller names one, and when the caller's subject cannot own such a row.
 */
export function withOwner(resource: Resource, values: Values, principal: Principal | undefined): Values {
  const { owner } = resource.descriptor;
  if (!owner || !principal) return values;
  const isExempt = ownerRule(resource, principal, 'change').kind === 'all';
  if (isExempt && (owner.property === 'id' || values[owner.property] != null)) return values;
  checkOwner(resource, values, principal);
  return { ...values, [owner.property]: subjectAs(resource, resource.property.get(owner.property)!, principal) };
}

/** Throws `FORBIDDEN` when values name another owner than the caller, whom the owner rule binds. */
export function checkOwner(resource: Resource, values: Values, principal: Principal | undefined): void {
  const { owner } = resource.descriptor;
  const named = owner && values[owner.property];
  if (named == null) return;
  const rule = ownerRule(resource, principal, 'change');
  if (rule.kind === 'all' || normalize(resource.property.get(rule.property)!, named) === rule.subject) return;
  throw foreignOwner(resource, rule.property, 'only a caller with access to the rows of others may name another owner');
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
  if (ownerRule(resource, principal, 'change').kind === 'all') return;
  throw foreignOwner(resource, owner.property, 'only a caller with access to the rows of others may change the owner');
}

const foreignOwner = ({ refusals }: Resource, property: string, detail: string): ApiError =>
  new ApiError('FORBIDDEN', {
    detail: withRule(detail, refusals?.owner()),
    errors: [{ pointer: childPointer('', property), detail }],
  });
