import type { ClientDocument, ClientGraphql, Publication, ResourceTree } from '../../../compiler/emit/clients/index.ts';
import type { Node } from '../../../compiler/read/index.ts';
import type { ErrorDescriptor } from '../../../descriptor/error.ts';

/** A list that anybody can read first: the example of a client's README. */
export interface ExampleList {
  readonly operationId: string;
  readonly path: string;
  /** Its first tag; generators group operations by it. */
  readonly tag: string | undefined;
  /** Name of the schema of an entry, `Product`. */
  readonly type: string | undefined;
  readonly needsToken: boolean;
}

/** What the GraphQL part of a client is made from. */
export interface GraphqlInput extends ClientGraphql {
  /** Names of the mutations that create, whose `Idempotency-Key` the server keeps. */
  readonly creating: readonly string[];
  /** Text of the caller's own documents. */
  readonly ownDocuments: string;
  /** The query of the list of a client's example, if it has one: `products`, `{ nodes … }`. */
  readonly exampleQuery: ClientDocument | undefined;
}

/** An operation that a client does not have. */
export interface LeftOut {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  /** In the words of the generator. */
  readonly reason: string;
}

/** What a client is made from. */
export interface ClientInput {
  /** A copy of `clients/openapi.json`, which a language may adapt. */
  readonly document: Node;
  /** `lockstep-storefront-client` */
  readonly name: string;
  /** What the language calls its package, where the caller has chosen it. */
  readonly packageName: string | undefined;
  readonly title: string;
  /** Of the package, with three numbers (semver.org). */
  readonly version: string;
  readonly publication: Publication;
  /** Where a caller on the same machine reaches the API. */
  readonly baseUrl: string;
  readonly errors: readonly ErrorDescriptor[];
  readonly resources: readonly ResourceTree[];
  /** What the contract has over GraphQL, if anything. */
  readonly graphql: GraphqlInput | undefined;
  readonly example: ExampleList | undefined;
  /** Operations that the generator cannot express. */
  readonly leftOut: readonly LeftOut[];
  /** Absolute path of the folder to write, which is empty. */
  readonly folder: string;
}

export interface ClientLanguage {
  /** Name of the language, of its folder in the output, and of its choice on the command line. */
  readonly id: string;
  /** Writes the client, without the operations that it answers. Throws `ConfigError` when a tool is missing or fails. */
  make(input: ClientInput): Promise<readonly LeftOut[]>;
}

/** What the README of each client says of repeated requests: the layers behave alike. */
export const RETRIES =
  '- **Retries**: what is refused for a while (408, 429), and what got no answer and can be repeated, is sent again, up to three\n' +
  '  times and as `Retry-After` says. A `POST` carries an `Idempotency-Key`, the same in each attempt.';
