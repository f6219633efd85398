import { type MaybePromise, rescued, whenKnown } from '../async/maybe-promise.ts';
import { ApiError } from '../errors/api-error.ts';
import type { Authenticate } from './authenticator.ts';
import type { Identified } from './credentials.ts';
import type { Principal } from './principal.ts';
import type { CredentialsRequest, Identify } from './security-handler.ts';

/** A request's credentials, by security scheme. */
export interface Credentials {
  readonly identified: Identified;
  /** That of the first credentials that are valid. */
  readonly subject: string | undefined;
  /** Why credentials are not valid. They deny access only to what requires their scheme. */
  readonly refused: ReadonlyMap<string, ApiError>;
}

export type ReadCredentials = (request: CredentialsRequest) => MaybePromise<Credentials>;

type Schemes = readonly (readonly [name: string, identify: Identify])[];

const NO_CREDENTIALS: Credentials = { identified: new Map(), subject: undefined, refused: new Map() };

export const bearerIdentity =
  (authenticate: Authenticate): Identify =>
  ({ headers: { authorization } }) =>
    authorization === undefined ? undefined : authenticate(authorization as string);

/** Reads the credentials of all of these schemes; synchronous if there is one that is. */
export function credentialsReader(schemes: Schemes): ReadCredentials {
  const [only] = schemes;
  if (!only) return () => NO_CREDENTIALS;
  if (schemes.length > 1) return (request) => readAll(schemes, request);
  const [name, identify] = only;
  return (request) =>
    rescued(
      () => whenKnown(identify(request), (principal) => identifiedBy(name, principal)),
      (error) => refusedBy(name, error),
    );
}

/** The subject of the first credentials that are valid; undefined if none are. Never throws. */
export const subjectReader =
  (read: ReadCredentials) =>
  (request: CredentialsRequest): MaybePromise<string | undefined> =>
    rescued(
      () => whenKnown(read(request), ({ subject }) => subject),
      () => undefined,
    );

const identifiedBy = (name: string, principal: Principal | undefined): Credentials =>
  principal === undefined
    ? NO_CREDENTIALS
    : { ...NO_CREDENTIALS, identified: new Map([[name, principal]]), subject: principal.subject };

/** Throws any error that does not mean that the credentials are not valid. */
function refusedBy(name: string, error: unknown): Credentials {
  if (!(error instanceof ApiError) || error.code !== 'UNAUTHENTICATED') throw error;
  return { ...NO_CREDENTIALS, refused: new Map([[name, error]]) };
}

async function readAll(schemes: Schemes, request: CredentialsRequest): Promise<Credentials> {
  const identified = new Map<string, Principal>();
  const refused = new Map<string, ApiError>();
  for (const [name, identify] of schemes) {
    try {
      const principal = await identify(request);
      if (principal) identified.set(name, principal);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'UNAUTHENTICATED') throw error;
      refused.set(name, error);
    }
  }
  return { identified, subject: identified.values().next().value?.subject, refused };
}
