/** What a token says, all of it (RFC 7519, 4): registered claims and the issuer's own. */
export type Claims = Readonly<Record<string, unknown>>;

/** An authenticated caller. */
export interface Principal {
  /** The token's `sub` (RFC 7519, 4.1.2). */
  readonly subject: string;
  readonly scopes: ReadonlySet<string>;
  /** The token's `exp`, in milliseconds since the epoch. */
  readonly expiresAtMs: number;
  /** Missing where the credentials are not a token. */
  readonly claims?: Claims;
}
