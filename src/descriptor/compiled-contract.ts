import type { OpenApiDocument } from './document.ts';
import type { ErrorCatalogue } from './error.ts';
import type { GraphqlDescriptor } from './graphql.ts';
import type { ResourceDescriptor } from './resource.ts';
import type { RestDescriptor } from './rest.ts';
import type { ToolsDescriptor } from './tools.ts';
import type { OldVersion } from './version.ts';

/** A compiled contract: everything that a server is built from. */
export interface CompiledContract {
  readonly document: OpenApiDocument;
  readonly rest: RestDescriptor;
  readonly resources: readonly ResourceDescriptor[];
  readonly errors: ErrorCatalogue;
  /** Old versions that are served beside the current one, by name. */
  readonly versions?: Readonly<Record<string, OldVersion>> | undefined;
  /** Undefined: agents are offered nothing. */
  readonly tools?: ToolsDescriptor | undefined;
  /** Undefined: the contract is REST only. */
  readonly graphql?: { readonly sdl: string; readonly descriptor: GraphqlDescriptor } | undefined;
}
