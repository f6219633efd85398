import type { ActorProperties } from '../../../descriptor/actor-properties.ts';
import type { ConventionNames } from '../../../descriptor/convention-names.ts';
import type {
  Id,
  OnDelete,
  PropertyDescriptor,
  ReferenceProperty,
  ResourceDescriptor,
} from '../../../descriptor/resource.ts';
import type { TotalNames } from '../../../descriptor/totals.ts';
import type { Inflect } from '../../../descriptor/words/inflections.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { Validate } from '../../schema/schema-registry.ts';
import type { Row } from '../../storage/store.ts';
import type { PathParams } from '../interface/call.ts';
import type { Consumed } from '../interface/event-handlers.ts';
import type { AccessRules, FieldRules, Refusals, RelatedReads, RowFilter, Tenancy } from './access.ts';
import type { ColumnsOf } from './columns.ts';
import type { RowReader } from './row-codec.ts';
import type { CallChecks } from './validated.ts';

/** A property of another resource that refers to this one. */
export interface Referrer {
  readonly resource: Resource;
  readonly property: string;
  readonly onDelete: OnDelete;
}

/** A resource, and what of the rows of another decides who sees its own. */
export interface Watcher extends RelatedReads {
  /** Key of the resource. */
  readonly resource: string;
}

/** Rows that filters may go to from those of a resource. */
export interface RelatedRows {
  /** `one`: the row that `property` refers to. `many`: the rows whose `property` refers to one. */
  readonly kind: 'one' | 'many';
  readonly resource: Resource;
  readonly property: string;
}

/** The value of a unique property: one row has it, or none. */
export interface RowName {
  readonly property: string;
  readonly value: Id;
}

/** A descriptor with everything that is derived from it once, at boot. */
export interface Resource extends RowReader {
  readonly descriptor: ResourceDescriptor;
  /** What the conventions call its own properties. */
  readonly names: ConventionNames;
  /** Made once: to answer that a row is not there must cost little. */
  readonly notFound: ApiError;
  readonly property: ReadonlyMap<string, PropertyDescriptor>;
  readonly inputs: readonly PropertyDescriptor[];
  readonly machines: readonly PropertyDescriptor[];
  readonly immutables: readonly PropertyDescriptor[];
  readonly references: readonly ReferenceProperty[];
  readonly actors: ActorProperties;
  /** The resource that each of the `references` refers to, by property. */
  readonly targets: ReadonlyMap<string, Resource>;
  /** Those of the `references` by which a caller names only rows that it reads; `byOwner`: as `x-owner` says, too. */
  readonly bound: readonly { property: ReferenceProperty; target: Resource; byOwner: boolean }[];
  readonly parent: Resource | undefined;
  /** The id of the parent of a row. Throws where rows have none. */
  parentIdIn(row: Row): Id;
  /** The resource itself, its parent, and so on. */
  readonly levels: readonly Resource[];
  readonly referrers: readonly Referrer[];
  /** Those of the `referrers` that are asked before a delete does anything. */
  readonly forbidders: readonly Referrer[];
  /** The forms that words are searched in. */
  readonly inflect: Inflect;
  /** Whose tenant's its rows are; undefined where they are of none. */
  readonly tenancy: Tenancy | undefined;
  /** What filters may go to, by the name that they have for it. */
  readonly relations: ReadonlyMap<string, RelatedRows>;
  /** The rules of `x-access`; undefined where the contract has none. */
  readonly access: AccessRules | undefined;
  /** Names the rules that refuse; undefined where callers do not see them, as in production. */
  readonly refusals: Refusals | undefined;
  /** The rules of `x-access` on its properties; undefined where the contract has none. */
  readonly fields: FieldRules | undefined;
  /** What is read of rows of which some properties are asked for. */
  readonly columnsOf: ColumnsOf;
  /** Which of its rows a caller sees. */
  readonly filter: RowFilter;
  /** Whether its changes can be subscribed to. */
  readonly isWatched: boolean;
  /** Which of its changes code handles after the commit; undefined: none. */
  readonly consumed: Consumed | undefined;
  /** The resources that are watched, and whose rows, or properties, some see or not by what rows of this one have. */
  readonly watchers: readonly Watcher[];
  /** Keys of the resources whose lists may change when a row is written, and when one is deleted. */
  readonly stale: { readonly write: readonly string[]; readonly delete: readonly string[] };
  readonly sorts: ReadonlyMap<string, { readonly property: string; readonly direction: 'asc' | 'desc' }>;
  /** Validates an input and fills in defaults. */
  readonly validateInput: Validate;
  /** Validates the input that would yield a patched row. */
  readonly validateMerged: Validate;
  readonly validatePatch: Validate;
  /** Validates an answer; compiled when it is first used. */
  readonly validateAnswer: Validate;
  /** Whether a property may have a value that the server takes from a token. */
  fits(property: string, value: unknown): boolean;
  /** The groups and measures that code may ask for. */
  readonly totalNames: () => TotalNames;
  readonly checks: CallChecks;
  /** Those of the query of its totals, and of what operations include, by the operation. */
  readonly queryChecks: ReadonlyMap<string, CallChecks['query']>;
  /** Validates the bodies of its batches, by the operation. */
  readonly batchInputs: ReadonlyMap<string, Validate>;
  /** What makes the id of a row that comes without: for a text, the caller, or the code that creates the row. */
  readonly idMaker: 'server' | 'database' | 'caller';
  /** The version of a new row; undefined if it is a hash. */
  readonly firstVersion: number | undefined;
  /** An id in the spelling that rows have: a UUID in lower case. */
  idOf(id: Id): Id;
  /** Path of the resource with an id, or with another key of its path, in the collection that the parameters name. */
  locationOf(params: PathParams, name: Id): string;
  /** Which row path parameters name: the value of its id or of another unique property, in the spelling that rows have. */
  nameOf(params: PathParams): RowName;
  /** Whether the path parameter of an ancestor is not its id. */
  readonly hasKeyedAncestor: boolean;
}
