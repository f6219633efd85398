import type { Access } from '../../descriptor/access.ts';
import type { HttpMethod, OpenApiDocument } from '../../descriptor/document.ts';
import type { ErrorCatalogue } from '../../descriptor/error.ts';
import type { GraphqlDescriptor } from '../../descriptor/graphql.ts';
import type { Action, ResourceDescriptor } from '../../descriptor/resource.ts';
import type { OldVersion } from '../../descriptor/version.ts';
import type { Finding, Location } from '../findings/finding.ts';
import type { SdlSource } from '../sdl/sdl-source.ts';
import type { ParityRow } from './parity-row.ts';

/** A contract as read: one OpenAPI 3.1 document with local references only, and the way back to the files. */
export interface ContractSource {
  readonly document: OpenApiDocument;
  /** Faults of reading, referencing and of the OpenAPI structure itself. */
  readonly findings: readonly Finding[];
  /** The GraphQL side; undefined for a contract that is REST only. */
  readonly sdl?: SdlSource | undefined;
  /** Old versions that it names (`x-versions`), as they were released. */
  readonly versions?: ReadonlyMap<string, OpenApiDocument>;
  /** Place of a node of `document`, or of one of its keys; of the nearest known ancestor when the node is synthetic. */
  locate(node: object, key?: string | number): Location;
}

export interface OperationModel {
  readonly operationId: string;
  readonly method: HttpMethod;
  readonly path: string;
  readonly access: Access;
  /** Absent on a custom operation, which needs a handler. */
  readonly default?: { readonly resource: string; readonly action: Action };
  /** Every code the operation may answer with, in the catalogue's order. */
  readonly errorCodes: readonly string[];
  readonly location: Location;
}

/** Everything the emitters print; decided once, here. */
export interface ContractModel {
  /** The bundled document, completed with what the conventions imply. */
  readonly document: OpenApiDocument;
  readonly operations: readonly OperationModel[];
  readonly resources: readonly ResourceDescriptor[];
  readonly errors: ErrorCatalogue;
  /** Undefined for a contract that is REST only. */
  readonly graphql?: GraphqlModel | undefined;
  /** Old versions that are served, too, by name. */
  readonly versions?: Readonly<Record<string, OldVersion>>;
}

export interface GraphqlModel {
  /** The merged schema, directives and their definitions included. */
  readonly sdl: string;
  readonly descriptor: GraphqlDescriptor;
}

export interface Modelled {
  /** Undefined when a finding is an error. */
  readonly model: ContractModel | undefined;
  /** The same, even where the protocols do not agree on it yet: to be compared, not to be served. */
  readonly candidate: ContractModel | undefined;
  readonly findings: readonly Finding[];
  /** Every fact that the protocols must agree on; empty for a contract that is REST only, or cannot be read. */
  readonly parity: readonly ParityRow[];
}
