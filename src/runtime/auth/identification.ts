import type { Access } from '../../descriptor/access.ts';
import type { RestDescriptor } from '../../descriptor/rest.ts';
import type { MaybePromise } from '../async/maybe-promise.ts';
import { ApiError } from '../errors/api-error.ts';
import { HandlerError } from '../errors/handler-error.ts';
import type { Authenticate } from './authenticator.ts';
import { identifyByAny } from './credentials.ts';
import { bearerIdentity, credentialsReader, type ReadCredentials, subjectReader } from './read-credentials.ts';
import type { CredentialsRequest, Identify, SecurityHandler } from './security-handler.ts';

/** For an operation whose security scheme has no handler: nobody can call it. */
const notImplemented: Identify = () => {
  throw new ApiError('NOT_IMPLEMENTED', { detail: 'This server has no handler for the credentials of the operation.' });
};

/** An operation, and the credentials that it asks for. */
interface AskingOperation {
  readonly operationId: string;
  readonly access: Access;
}

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

  /**
   * Identifies callers of one operation; undefined for one that asks for no credentials, which are not read. Throws when a scheme
   * needs a handler that is missing; one that is not declared does.
   */
  for({ operationId, access }: AskingOperation): Identify | undefined {
    const names = schemeNames(access);
    if (names.length === 0) return undefined;
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
    return subjectReader(this.#reader(operations));
  }

  #reader(operations: readonly AskingOperation[]): ReadCredentials {
    const named = new Map<string, Identify>();
    for (const { operationId, access } of operations)
      for (const name of schemeNames(access)) if (!named.has(name)) named.set(name, this.#scheme(name, operationId));
    return credentialsReader([...named].filter(([, identify]) => identify !== notImplemented));
  }

  #scheme(name: string, operationId: string): Identify {
    const scheme = this.#schemes[name];
    const handler = this.#handlers[name];
    if (handler) return handler;
    if (scheme?.isBearer) return bearerIdentity(this.#authenticate);
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
