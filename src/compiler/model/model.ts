import type { Access } from '../../descriptor/access.ts';
import type { HttpMethod, OpenApiDocument } from '../../descriptor/document.ts';
import type { ErrorCatalogue } from '../../descriptor/error.ts';
import type { GraphqlDescriptor } from '../../descriptor/graphql.ts';
import type { Action, ResourceDescriptor } from '../../descriptor/resource.ts';
import type { OldVersion } from '../../descriptor/version.ts';
import type { Finding, Location } from '../findings/finding.ts';
import type { SdlSource } from '../sdl/sdl-source.ts';
import type { ParityRow } from './parity-row.ts';

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
  /** The GraphQL schema; undefined for a REST-only contract. */
  readonly sdl?: SdlSource | undefined;
  /** The old versions named by `x-versions`, as they were released. */
  readonly versions?: ReadonlyMap<string, OpenApiDocument>;
  /**
   * Location of a node of `document`, or of one of its keys; for a synthetic node, that of the nearest known ancestor.
   */
  locate(node: object, key?: string | number): Location;
}

export interface OperationModel {
  readonly operationId: string;
  readonly method: HttpMethod;
  readonly path: string;
  readonly access: Access;
  /** Absent on a custom operation, which needs a handler. */
  readonly default?: { readonly resource: string; readonly action: Action };
  /** Every error code that the operation may return, in the catalogue's order. */
  readonly errorCodes: readonly string[];
  readonly location: Location;
}

/** Everything that the emitters print. */
export interface ContractModel {
  /** The bundled document, completed with what the conventions imply. */
  readonly document: OpenApiDocument;
  readonly operations: readonly OperationModel[];
  readonly resources: readonly ResourceDescriptor[];
  readonly errors: ErrorCatalogue;
  /** Undefined for a REST-only contract. */
  readonly graphql?: GraphqlModel | undefined;
  /** Old versions that are also served, by name. */
  readonly versions?: Readonly<Record<string, OldVersion>>;
}

export interface GraphqlModel {
  /** The merged schema, including directives and their definitions. */
  readonly sdl: string;
  readonly descriptor: GraphqlDescriptor;
}

export interface Modelled {
  /** Undefined when a finding is an error. */
  readonly model: ContractModel | undefined;
  /** The model even if the protocols do not agree: it may be compared with another, but not served. */
  readonly candidate: ContractModel | undefined;
  readonly findings: readonly Finding[];
  /** Every fact that the protocols must agree on; empty for a REST-only or unreadable contract. */
  readonly parity: readonly ParityRow[];
}
