import type { MaybePromise } from '../async/maybe-promise.ts';
import type { Principal } from './principal.ts';

/** The parts of a request that may carry credentials, over any protocol. */
export interface CredentialsRequest {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly query: Readonly<Record<string, unknown>>;
}

/** The caller that the credentials of a security scheme name; undefined: the request has none. */
export type SecurityHandler = (request: CredentialsRequest) => Principal | undefined | Promise<Principal | undefined>;

/** Who makes a request, by one security scheme; at once where that is known. Rejects with `UNAUTHENTICATED`. */
export type Identify = (request: CredentialsRequest) => MaybePromise<Principal | undefined>;
