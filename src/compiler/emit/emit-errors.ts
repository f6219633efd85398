import type { ContractModel } from '../model/model.ts';
import { HEADER, literal } from './print.ts';

/** `errors.ts`: the catalogue, the union of its codes, and `ApiError` for these codes alone. */
export function emitErrors({ errors }: ContractModel, library: string): string {
  return `${HEADER}import { ApiError as AnyApiError, type ApiErrorConstructor, type ErrorCatalogue } from '${library}';

export const errorCatalogue = ${literal(errors)} as const satisfies ErrorCatalogue;

export type ErrorCode = keyof typeof errorCatalogue;

/** An error with one of the contract's codes. */
export type ApiError = AnyApiError<ErrorCode>;
export const ApiError = AnyApiError as unknown as ApiErrorConstructor<ErrorCode>;
`;
}
