/**
 * One entry of the contract's `ErrorCode`.
 * @example
 * import type { ErrorDescriptor } from 'lockstep';
 * import { errorCatalogue } from '../../generated/errors.ts';
 *
 * const { status, title }: ErrorDescriptor = errorCatalogue.OUT_OF_STOCK;
 */
export interface ErrorDescriptor {
  readonly code: string;
  /** HTTP status code. */
  readonly status: number;
  readonly title: string;
  readonly description: string;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
}

/**
 * All errors that a server may answer with, by code. `errorCatalogue` in `generated/errors.ts` is that of the contract.
 * @example
 * import type { ErrorCatalogue } from 'lockstep';
 * import { errorCatalogue } from '../../generated/errors.ts';
 *
 * const catalogue: ErrorCatalogue = errorCatalogue;
 * const retryable = Object.values(catalogue).filter((error) => error.retryable);
 */
export type ErrorCatalogue = Readonly<Record<string, ErrorDescriptor>>;
