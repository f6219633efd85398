import { withArticle } from '../../../descriptor/article.ts';
import { isUuid } from '../../../descriptor/formats/formats.ts';
import { childPointer } from '../../../descriptor/json-pointer.ts';
import type { PropertyDescriptor } from '../../../descriptor/resource.ts';
import { bearerChallenge } from '../../auth/bearer-challenge.ts';
import type { Principal } from '../../auth/principal.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { Row } from '../../storage/store.ts';
import { normalize } from '../resource/normalize.ts';
import type { Resource } from '../resource/resource.ts';
import type { Values } from '../resource/row-codec.ts';

/**
 * The subject to whose rows `x-owner` binds a caller that creates, changes or deletes some, as rows spell it: a UUID in
 * lower case (RFC 9562, 4). Undefined where it may those of all. Throws `UNAUTHENTICATED` for anonymous callers, who own
 * nothing.
 */
export function boundSubject(
  { descriptor: { owner }, property }: Pick<Resource, 'descriptor' | 'property'>,
  principal: Principal | undefined,
): string | undefined {
  if (!owner) return undefined;
  if (!principal) {
    throw new ApiError('UNAUTHENTICATED', {
      detail: 'Rows here belong to callers: send a bearer token.',
      headers: bearerChallenge(),
    });
  }
  if (owner.scope !== undefined && principal.scopes.has(owner.scope)) return undefined;
  return normalize(property.get(owner.property)!, principal.subject) as string;
}

/**
 * The values of a new row with its owner: the caller, unless a scope exempts it from the owner rule and it names
 * another owner. Throws `FORBIDDEN` when any other caller names one, and when the caller's subject cannot own such a row.
 */
export function withOwner(resource: Resource, values: Values, principal: Principal | undefined): Values {
  const { owner } = resource.descriptor;
  if (!owner || !principal) return values;
  const isExempt = boundSubject(resource, principal) === undefined;
  if (isExempt && (owner.property === 'id' || values[owner.property] != null)) return values;
  checkOwner(resource, values, principal);
  return { ...values, [owner.property]: subjectAs(resource, resource.property.get(owner.property)!, principal) };
}

/** Throws `FORBIDDEN` when values name another owner than the caller, whom the owner rule binds. */
export function checkOwner(resource: Resource, values: Values, principal: Principal | undefined): void {
  const { owner } = resource.descriptor;
  const named = owner && values[owner.property];
  if (named == null) return;
  const subject = boundSubject(resource, principal);
  if (subject === undefined || normalize(resource.property.get(owner!.property)!, named) === subject) return;
  throw foreignOwner(resource, owner!.property, 'name another');
}

/** Throws `FORBIDDEN` unless the caller may give a row to another owner. */
export function checkOwnerChange(resource: Resource, property: string, principal: Principal | undefined): void {
  if (boundSubject(resource, principal) !== undefined) throw foreignOwner(resource, property, 'change the');
}

function foreignOwner({ refusals }: Resource, property: string, change: string): ApiError {
  const detail = `only a caller with access to the rows of others may ${change} owner`;
  const errors = [{ pointer: childPointer('', property), detail }];
  return new ApiError('FORBIDDEN', { detail: withRule(detail, refusals?.owner()), errors });
}

/** Throws `FORBIDDEN` when another caller owns the row. */
export function checkOwned(resource: Resource, row: Row, principal: Principal | undefined): void {
  const { owner, name } = resource.descriptor;
  if (!owner) return;
  const subject = boundSubject(resource, principal);
  if (subject === undefined || resource.valueIn(row, owner.property) === subject) return;
  throw new ApiError('FORBIDDEN', {
    detail: withRule(`This ${name} belongs to another caller.`, resource.refusals?.owner()),
  });
}

/** A refusal, and the rule that it follows from where callers may see it. */
export const withRule = (detail: string, rule: string | undefined): string =>
  rule === undefined ? detail : `${detail} ${rule}`;

/**
 * The caller's subject as the value of a property, undefined for anonymous callers. One that the property may not have, as
 * where it takes UUIDs alone, is undefined if it may be absent, else throws `FORBIDDEN`.
 */
export function subjectAs(
  { descriptor, fits }: Resource,
  property: PropertyDescriptor,
  principal: Principal | undefined,
): string | undefined {
  if (principal === undefined) return undefined;
  const { subject } = principal;
  if (fits(property.name, subject)) return normalize(property, subject) as string;
  if (property.nullable || !property.required) return undefined;
  const fault = property.type === 'uuid' && !isUuid(subject) ? 'is not a UUID' : 'is not as the contract has it';
  throw new ApiError('FORBIDDEN', {
    detail: `The token's subject ${fault}, so it cannot be \`${property.name}\` of ${withArticle(descriptor.name)}.`,
  });
}
