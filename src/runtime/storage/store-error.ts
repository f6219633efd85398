/** Why the database refused a statement. `unique` names the properties of the violated key. */
export type StoreFailure =
  | { readonly kind: 'unique'; readonly properties: readonly string[] }
  /** `properties`: of a table of others, those of the violated key. */
  | { readonly kind: 'reference'; readonly properties?: readonly string[] }
  | { readonly kind: 'unavailable' }
  | { readonly kind: 'full' }
  /** The place of the database cannot be read or written, or what is there is damaged: for the operator to mend. */
  | { readonly kind: 'faulty'; readonly why?: 'standby' | 'read-only' | 'damaged' }
  /** A column or table of the contract is not in the database: an instance has outlived a migration. */
  | { readonly kind: 'missing'; readonly what: string }
  /** The encoding of the database lacks a character of a text. */
  | { readonly kind: 'text' }
  /** A value is longer than an index can hold, or nested more deeply than a column can. */
  | { readonly kind: 'size' }
  /** Properties of one input give a column of a table of others different values. */
  | { readonly kind: 'disagreement'; readonly properties: readonly string[] }
  /** A table of others does not hold a value: that of `properties`, or which one is not known. */
  | { readonly kind: 'value'; readonly properties: readonly string[] }
  /** A constraint or trigger of a table of others does not allow the write. `properties`: those that it is about, if known. */
  | { readonly kind: 'refused'; readonly properties: readonly string[] };

/** A statement that the database refused for a reason the caller can act on. */
export class StoreError extends Error {
  readonly failure: StoreFailure;

  constructor(failure: StoreFailure, cause: unknown) {
    super(`store: ${failure.kind}`, { cause });
    this.name = 'StoreError';
    this.failure = failure;
  }
}
