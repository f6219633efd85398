/** An authenticated caller. */
export interface Principal {
  /** The token's `sub` (RFC 7519, 4.1.2). */
  readonly subject: string;
  readonly scopes: ReadonlySet<string>;
  /** The token's `exp`, in milliseconds since the epoch. */
  readonly expiresAtMs: number;
}
