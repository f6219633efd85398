import type { Access } from '../../descriptor/access.ts';
import type { RestDescriptor } from '../../descriptor/rest.ts';
import { type MaybePromise, rescued, whenKnown } from '../async/maybe-promise.ts';
import { ApiError } from '../errors/api-error.ts';
import { HandlerError } from '../errors/handler-error.ts';
import type { Authenticate } from './authenticator.ts';
import { type Identified, identifyByAny } from './credentials.ts';
import type { Principal } from './principal.ts';
import type { CredentialsRequest, Identify, SecurityHandler } from './security-handler.ts';

/** A request's credentials, by security scheme. */
export interface Credentials {
  readonly identified: Identified;
  /** Why credentials are not valid. They deny access only to what requires their scheme. */
  readonly refused: ReadonlyMap<string, ApiError>;
}

const NO_CREDENTIALS: Credentials = { identified: new Map(), refused: new Map() };

/** Reads credentials of a single scheme; synchronous if the scheme is. */
function readOne(name: string, identify: Identify, request: CredentialsRequest): MaybePromise<Credentials> {
  const read = () => whenKnown(identify(request), (principal) => identifiedBy(name, principal));
  return rescued(read, (error) => refusedBy(name, error));
}

const identifiedBy = (name: string, principal: Principal | undefined): Credentials =>
  principal === undefined ? NO_CREDENTIALS : { ...NO_CREDENTIALS, identified: new Map([[name, principal]]) };

/** Throws any error that does not mean that the credentials are not valid. */
function refusedBy(name: string, error: unknown): Credentials {
  if (!(error instanceof ApiError) || error.code !== 'UNAUTHENTICATED') throw error;
  return { ...NO_CREDENTIALS, refused: new Map([[name, error]]) };
}

async function readAll(
  schemes: readonly (readonly [name: string, identify: Identify])[],
  request: CredentialsRequest,
): Promise<Credentials> {
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
  return { identified, refused };
}

/** For an operation without security: credentials are not read. */
const anonymous: Identify = () => undefined;

/** For an operation whose security scheme has no handler: nobody can call it. */
const notImplemented: Identify = () => {
  throw new ApiError('NOT_IMPLEMENTED', { detail: 'This server has no handler for the credentials of the operation.' });
};

/** An operation, and the credentials that it asks for. */
interface AskingOperation {
  readonly operationId: string;
  readonly access: Access;
}

type ReadCredentials = (request: CredentialsRequest) => MaybePromise<Credentials>;

/** Identifies callers by the security schemes of a contract. */
export class Identification {
  readonly #schemes: RestDescriptor['securitySchemes'];
  readonly #authenticate: Authenticate;
  readonly #handlers: Readonly<Record<string, SecurityHandler>>;
  /** Operations of a scheme without a handler answer `NOT_IMPLEMENTED` instead of failing the boot. */
  readonly #allowMissing: boolean;

  constructor(
    { securitySchemes }: Pick<RestDescriptor, 'securitySchemes'>,
    authenticate: Authenticate,
    handlers: Readonly<Record<string, SecurityHandler>> = {},
    allowMissing = false,
  ) {
    this.#schemes = securitySchemes;
    this.#authenticate = authenticate;
    this.#handlers = handlers;
    this.#allowMissing = allowMissing;
  }

  /** The same for another contract, such as an old version. */
  of(rest: RestDescriptor): Identification {
    return new Identification(rest, this.#authenticate, this.#handlers, this.#allowMissing);
  }

  /** Identifies callers of one operation. Throws when a scheme needs a handler that is missing; one that is not declared does. */
  for({ operationId, access }: AskingOperation): Identify {
    const names = schemeNames(access);
    if (names.length === 0) return anonymous;
    const schemes = new Map(names.map((name) => [name, this.#scheme(name, operationId)]));
    return schemes.size === 1 ? schemes.get(names[0]!)! : identifyByAny(access, schemes);
  }

  /**
   * Reads the credentials of all schemes that the accesses name; those that a request does not have are left out.
   * Synchronous if the schemes are.
   */
  all(accesses: readonly Access[]): ReadCredentials {
    return this.#reader(accesses.map((access) => ({ operationId: 'GraphQL', access })));
  }

  /**
   * The subject of a request to a public operation, for counting it alone: by any credentials that the operations of the
   * document take. Undefined if the request has none that are valid. Never throws.
   */
  counting(operations: readonly AskingOperation[]): (request: CredentialsRequest) => MaybePromise<string | undefined> {
    const read = this.#reader(operations);
    const subjectOf = ({ identified }: Credentials) => identified.values().next().value?.subject;
    return (request) =>
      rescued(
        () => whenKnown(read(request), subjectOf),
        () => undefined,
      );
  }

  #reader(operations: readonly AskingOperation[]): ReadCredentials {
    const named = new Map<string, Identify>();
    for (const { operationId, access } of operations)
      for (const name of schemeNames(access)) if (!named.has(name)) named.set(name, this.#scheme(name, operationId));
    const schemes = [...named].filter(([, identify]) => identify !== notImplemented);
    const [only] = schemes;
    if (!only) return () => NO_CREDENTIALS;
    if (schemes.length > 1) return (request) => readAll(schemes, request);
    return (request) => readOne(only[0], only[1], request);
  }

  #scheme(name: string, operationId: string): Identify {
    const scheme = this.#schemes[name];
    const handler = this.#handlers[name];
    if (handler) return handler;
    if (scheme?.isBearer)
      return ({ headers: { authorization } }) =>
        authorization === undefined ? undefined : this.#authenticate(authorization as string);
    if (this.#allowMissing) return notImplemented;
    const what = scheme ? name : `${name}, which is not declared`;
    throw new HandlerError(
      `${operationId} needs a handler for the security scheme ${what} (handlers.security.${name})`,
    );
  }
}

/** Names of the security schemes that an access asks for. */
export const schemeNames = (access: Access): string[] => [
  ...new Set(access.anyOf.flatMap(({ schemes }) => schemes.map(({ name }) => name))),
];
