/**
 * Who may call an operation, from its `security` (OpenAPI 3.1, Security Requirement Object).
 * `anyOf` holds the alternatives; one of them must be met whole. No alternative: public, credentials are not read.
 */
export interface Access {
  readonly anyOf: readonly Requirement[];
}

/** One security requirement: every scheme in it with its scopes. Empty: an anonymous caller passes. */
export interface Requirement {
  readonly schemes: readonly { readonly name: string; readonly scopes: readonly string[] }[];
}
