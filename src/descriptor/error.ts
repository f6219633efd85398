/** One entry of the contract's `ErrorCode`. */
export interface ErrorDescriptor {
  readonly code: string;
  /** HTTP status code. */
  readonly status: number;
  readonly title: string;
  readonly description: string;
  /** The same request may succeed later, unchanged. */
  readonly retryable: boolean;
}

/** All errors a server may answer with, by code. */
export type ErrorCatalogue = Readonly<Record<string, ErrorDescriptor>>;
