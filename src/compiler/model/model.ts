import type { OpenApiDocument } from '../../descriptor/document.ts';
import type { ErrorCatalogue } from '../../descriptor/error.ts';
import type { GraphqlDescriptor } from '../../descriptor/graphql.ts';
import type { ResourceDescriptor, Role } from '../../descriptor/resource.ts';
import type { RestDescriptor } from '../../descriptor/rest.ts';
import type { ToolsDescriptor } from '../../descriptor/tools.ts';
import type { OldVersion } from '../../descriptor/version.ts';
import type { Finding, Location } from '../findings/finding.ts';
import type { OperationDraft } from './draft.ts';
import type { ParityRow } from './parity-row.ts';

/** An operation of the completed document, with what is decided of it. */
export interface OperationModel extends OperationDraft {
  /** Absent on a custom operation, which needs a handler. */
  readonly default?: { readonly resource: string; readonly action: Role };
  /** Every error code that the operation may return, in the catalogue's order. */
  readonly errorCodes: readonly string[];
  readonly location: Location;
}

/** Everything that the emitters print. */
export interface ContractModel {
  /** The bundled document, completed with what the conventions imply. */
  readonly document: OpenApiDocument;
  /** What the document declares, as the server reads it. */
  readonly rest: RestDescriptor;
  readonly operations: readonly OperationModel[];
  readonly resources: readonly ResourceDescriptor[];
  readonly errors: ErrorCatalogue;
  /** Undefined for a REST-only contract. */
  readonly graphql?: GraphqlModel | undefined;
  /** Undefined: agents are offered nothing. */
  readonly tools?: ToolsDescriptor | undefined;
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
