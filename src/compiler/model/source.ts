import type { OpenApiDocument } from '../../descriptor/document.ts';
import type { Finding, Location } from '../findings/finding.ts';
import type { SdlSource } from '../sdl/sdl-source.ts';

/** One `x-` key of a contract. */
export interface ExtensionUse {
  readonly name: string;
  readonly value: unknown;
  readonly node: object;
  /** A schema that has properties is a `schema`, any other a `property`. */
  readonly place: 'property' | 'schema' | 'operation' | 'parameter' | 'response' | 'info' | 'document';
}

/**
 * A contract as read: one OpenAPI 3.1 document with local references only, and the locations of its nodes in the
 * files.
 */
export interface ContractSource {
  /** Without the members that have errors of structure or references. */
  readonly document: OpenApiDocument;
  /** Where there are such errors: the contract without the whole paths and components that have them. */
  readonly rest?: ContractSource;
  /** Problems with files, references and the OpenAPI structure. */
  readonly findings: readonly Finding[];
  /** Extensions with values of other tools, which a document of others does not have here. */
  readonly ignored?: readonly ExtensionUse[];
  /** The GraphQL schema; undefined for a REST-only contract. */
  readonly sdl?: SdlSource | undefined;
  /** The old versions named by `x-versions`, as they were released. */
  readonly versions?: ReadonlyMap<string, OpenApiDocument>;
  /**
   * Location of a node of `document`, or of one of its keys; for a synthetic node, that of the nearest known ancestor.
   */
  locate(node: object, key?: string | number): Location;
}
