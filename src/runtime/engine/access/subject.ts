import { isUuid } from '../../../descriptor/formats/formats.ts';
import type { PropertyDescriptor } from '../../../descriptor/resource.ts';
import type { Principal } from '../../auth/principal.ts';
import { ApiError } from '../../errors/api-error.ts';
import { normalize } from '../resource/normalize.ts';
import type { Resource } from '../resource/resource.ts';

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
    detail: `The token's subject ${fault}, so it cannot be \`${property.name}\` of a ${descriptor.name}.`,
  });
}
