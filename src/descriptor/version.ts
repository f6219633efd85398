import type { OpenApiDocument } from './document.ts';
import type { ErrorCatalogue } from './error.ts';
import type { RestDescriptor } from './rest.ts';

/** A version of the API that is served beside the current one, as it was released. */
export interface OldVersion {
  readonly document: OpenApiDocument;
  readonly rest: RestDescriptor;
  readonly errors: ErrorCatalogue;
  /** ISO 8601 date since when it is deprecated. */
  readonly deprecated: string;
  /** ISO 8601 date after which it may be removed. */
  readonly sunset?: string;
}
