import { ApiError, type FieldError } from '../../errors/api-error.ts';
import { MAX_LISTED_FAULTS, omitted, shortened } from '../../errors/bounded.ts';
import type { Validate } from '../../schema/schema-registry.ts';

/** The input, once it is known to match the contract. Throws `VALIDATION_FAILED` with every error in it. */
export function validated<T>(validate: Validate, input: unknown): T {
  const errors = validate(input);
  if (errors) throw validationFailed(errors);
  return input as T;
}

/** The error that lists the faults, the first of them and the first characters of their places when there are many. */
export function validationFailed(errors: readonly FieldError[]): ApiError {
  const left = errors.length - MAX_LISTED_FAULTS;
  const detail = `The request does not match the contract.${left > 0 ? ` ${omitted(left)}` : ''}`;
  return new ApiError('VALIDATION_FAILED', { detail, errors: errors.slice(0, MAX_LISTED_FAULTS).map(withShortPlace) });
}

/** Longest pointer, name of a parameter or path into arguments in an answer, in characters. */
const MAX_PLACE_CHARACTERS = 500;

function withShortPlace(error: FieldError): FieldError {
  if ('pointer' in error) return { ...error, pointer: shortened(error.pointer, MAX_PLACE_CHARACTERS) };
  if ('parameter' in error) return { ...error, parameter: shortened(error.parameter, MAX_PLACE_CHARACTERS) };
  if ('argument' in error) return { ...error, argument: shortened(error.argument, MAX_PLACE_CHARACTERS) };
  return error;
}
