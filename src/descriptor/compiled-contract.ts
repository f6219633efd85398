import type { OpenApiDocument } from './document.ts';
import type { ErrorCatalogue } from './error.ts';
import type { GraphqlDescriptor } from './graphql.ts';
import type { ResourceDescriptor } from './resource.ts';
import type { OldVersion } from './version.ts';

/** What the compiler made of a contract: all that a server is built from. */
export interface CompiledContract {
  readonly document: OpenApiDocument;
  readonly resources: readonly ResourceDescriptor[];
  readonly errors: ErrorCatalogue;
  /** Undefined: the contract is REST only. */
  /** Old versions that are served, too, by name. */
  readonly versions?: Readonly<Record<string, OldVersion>> | undefined;
  readonly graphql?: { readonly sdl: string; readonly descriptor: GraphqlDescriptor } | undefined;
}
