import type { OpenApiDocument } from '../../descriptor/document.ts';
import type { ErrorCatalogue } from '../../descriptor/error.ts';
import type { ResourceDescriptor } from '../../descriptor/resource.ts';
import type { Authenticate } from '../auth/authenticator.ts';
import type { SecurityHandler } from '../auth/security-handler.ts';
import type { Engine } from '../engine/interface/engine.ts';
import type { RateLimiter } from '../http/rate-limiter.ts';
import type { SchemaRegistry } from '../schema/schema-registry.ts';
import type { CustomHandler } from './custom-answer.ts';
import type { Forward } from './forward.ts';

export interface RestOptions {
  /** The bundled document: the only source of routes. */
  readonly document: OpenApiDocument;
  readonly resources: readonly ResourceDescriptor[];
  readonly errors: ErrorCatalogue;
  readonly engine: Engine;
  readonly schemas: SchemaRegistry;
  readonly authenticate: Authenticate;
  /** How often a caller may ask; as often as it likes, if left out. */
  readonly rateLimiter?: RateLimiter | undefined;
  /** Handlers of custom operations by operationId. */
  readonly operations?: Readonly<Record<string, CustomHandler>>;
  /** Handlers of security schemes that are no bearer tokens, by name. */
  readonly security?: Readonly<Record<string, SecurityHandler>>;
  /** Custom operations without a handler answer `NOT_IMPLEMENTED` instead of failing the boot. */
  readonly allowMissing?: boolean;
  /** Hold every response against the contract; a deviation is logged and answered as `INTERNAL_ERROR`. */
  readonly checkResponses?: boolean;
  /** Answers every operation, in place of the engine and of handlers. */
  readonly forward?: Forward;
  /** Where the documentation of error codes lives; `/errors` if left out. */
  readonly errorsUrl?: string;
}
