import type { MaybePromise } from '../async/maybe-promise.ts';
import type { Principal } from './principal.ts';

/**
 * The parts of a request that may contain credentials, over any protocol. Header names are in lower case.
 * @example
 * import type { CredentialsRequest } from 'lockstep';
 *
 * const keyOf = ({ headers }: CredentialsRequest): string | undefined => {
 *   const key = headers['x-api-key'];
 *   return typeof key === 'string' ? key : undefined;
 * };
 */
export interface CredentialsRequest {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly query: Readonly<Record<string, unknown>>;
}

/**
 * Identifies the caller by the credentials of a security scheme; undefined if the request has none. Throws `ApiError`
 * with `UNAUTHENTICATED` for credentials that are not valid.
 * @example
 * import type { SecurityHandler } from 'lockstep';
 * import { ApiError } from '../../generated/errors.ts';
 *
 * const NEVER = Number.POSITIVE_INFINITY;
 *
 * export const apiKey: SecurityHandler = ({ headers }) => {
 *   const key = headers['x-api-key'];
 *   if (key === undefined) return undefined;
 *   if (key !== process.env['API_KEY']) throw new ApiError('UNAUTHENTICATED');
 *   return { subject: 'importer', scopes: new Set(['products:write']), expiresAtMs: NEVER };
 * };
 */
export type SecurityHandler = (request: CredentialsRequest) => Principal | undefined | Promise<Principal | undefined>;

/** The same for any scheme; may be synchronous. Throws, or rejects with, `UNAUTHENTICATED`. */
export type Identify = (request: CredentialsRequest) => MaybePromise<Principal | undefined>;
