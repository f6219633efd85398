import type { OpenApiDocument } from './descriptor/document.ts';
import type { ErrorCatalogue } from './descriptor/error.ts';
import type { GraphqlDescriptor } from './descriptor/graphql.ts';
import type { ResourceDescriptor } from './descriptor/resource.ts';
import type { OldVersion } from './descriptor/version.ts';

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
