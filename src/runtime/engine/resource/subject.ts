import type { PropertyDescriptor } from '../../../descriptor/resource.ts';
import type { Principal } from '../../auth/principal.ts';
import { ApiError } from '../../errors/api-error.ts';
import { isUuid } from '../../schema/formats.ts';
import { normalize } from './normalize.ts';
import type { Resource } from './resource.ts';

/**
 * The caller's subject as the value of a property, undefined for anonymous callers. Where the property takes UUIDs alone,
 * another subject is no value of it: undefined if it may be absent, else throws `FORBIDDEN`.
 */
export function subjectAs(
  { descriptor }: Resource,
  property: PropertyDescriptor,
  principal: Principal | undefined,
): string | undefined {
  if (principal === undefined) return undefined;
  const { subject } = principal;
  if (property.type !== 'uuid' || isUuid(subject)) return normalize(property, subject) as string;
  if (property.nullable || !property.required) return undefined;
  throw new ApiError('FORBIDDEN', {
    detail: `The token's subject is not a UUID, so it cannot be \`${property.name}\` of a ${descriptor.name}.`,
  });
}
