import type { FastifyRequest } from 'fastify';
import type { Principal } from '../auth/principal.ts';
import type { Access } from '../descriptor/access.ts';
import type { OpenApiDocument, SecurityScheme } from '../descriptor/document.ts';
import { ApiError } from '../errors/api-error.ts';
import { HandlerError } from '../errors/handler-error.ts';
import { identifyByAny } from './credentials.ts';
import type { RestOperation } from './operation.ts';
import type { SecurityHandler } from './operation-handler.ts';

/**
 * The caller that a bearer token names, or undefined without an Authorization header.
 * Throws, or rejects with, `UNAUTHENTICATED`.
 */
export type Authenticate = (
  authorization: string | undefined,
) => Principal | undefined | Promise<Principal | undefined>;

export type Identify = (request: FastifyRequest) => Principal | undefined | Promise<Principal | undefined>;

/** Of an operation without security: credentials are not read. */
const anonymous: Identify = () => undefined;

/** Of an operation whose credentials nobody can read: it is closed to all. */
const notImplemented: Identify = () => {
  throw new ApiError('NOT_IMPLEMENTED', { detail: 'This server has no handler for the credentials of the operation.' });
};

/** Makes callers known to operations by the schemes that their security names. */
export class Identification {
  readonly #document: OpenApiDocument;
  readonly #authenticate: Authenticate;
  readonly #handlers: Readonly<Record<string, SecurityHandler>>;
  /** Operations of a scheme without a handler answer `NOT_IMPLEMENTED` instead of failing the boot. */
  readonly #allowMissing: boolean;

  constructor(
    document: OpenApiDocument,
    authenticate: Authenticate,
    handlers: Readonly<Record<string, SecurityHandler>> = {},
    allowMissing = false,
  ) {
    this.#document = document;
    this.#authenticate = authenticate;
    this.#handlers = handlers;
    this.#allowMissing = allowMissing;
  }

  /** Throws when a scheme is not declared, or needs a handler that is not there. */
  of({ operationId, access }: RestOperation): Identify {
    const names = schemeNames(access);
    if (names.length === 0) return anonymous;
    const schemes = new Map(names.map((name) => [name, this.#scheme(name, operationId)]));
    return schemes.size === 1 ? schemes.get(names[0]!)! : identifyByAny(access, schemes);
  }

  #scheme(name: string, operationId: string): Identify {
    const scheme = this.#document.components?.securitySchemes?.[name];
    const handler = this.#handlers[name];
    if (handler) return (request) => handler(request as Parameters<SecurityHandler>[0]);
    if (!scheme) throw new HandlerError(`${operationId} names the security scheme ${name}, which is not declared`);
    if (isBearer(scheme)) return (request) => this.#authenticate(request.headers.authorization);
    if (this.#allowMissing) return notImplemented;
    throw new HandlerError(
      `${operationId} needs a handler for the security scheme ${name} (handlers.security.${name})`,
    );
  }
}

const schemeNames = (access: Access): string[] => [
  ...new Set(access.anyOf.flatMap(({ schemes }) => schemes.map(({ name }) => name))),
];

/** A scheme that the built-in tokens serve. */
export const isBearer = ({ type, scheme }: SecurityScheme): boolean =>
  type === 'oauth2' || type === 'openIdConnect' || (type === 'http' && scheme?.toLowerCase() === 'bearer');
