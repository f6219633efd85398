import { childPointer } from '../../../descriptor/json-pointer.ts';
import { ApiError, type FieldError } from '../../errors/api-error.ts';

/** The error for properties that a caller tries to change after creation. */
export function immutable(names: readonly string[]): ApiError {
  const detail = 'can only be set on creation';
  return new ApiError('IMMUTABLE_PROPERTY', {
    detail: `${names.join(', ')} ${detail}.`,
    errors: names.map((name): FieldError => ({ pointer: childPointer('', name), code: 'IMMUTABLE_PROPERTY', detail })),
  });
}
