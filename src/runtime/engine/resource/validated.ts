import { ApiError, type FieldError } from '../../errors/api-error.ts';
import type { Validate } from '../../schema/schema-registry.ts';

/** The input, once it is known to match the contract. Throws `VALIDATION_FAILED` with every error in it. */
export function validated<T>(validate: Validate, input: unknown): T {
  const errors = validate(input);
  if (errors) throw validationFailed(errors);
  return input as T;
}

export function validationFailed(errors: readonly FieldError[]): ApiError {
  return new ApiError('VALIDATION_FAILED', { detail: 'The request does not match the contract.', errors });
}
