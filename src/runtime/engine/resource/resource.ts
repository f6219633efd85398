import type { OnDelete, PropertyDescriptor, ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { Validate } from '../../schema/schema-registry.ts';
import type { Row } from '../../storage/store.ts';
import type { CallChecks } from './call-checks.ts';
import type { RowCodec } from './row-codec.ts';
import type { RowView } from './row-view.ts';

/** A property of another resource that refers to this one. */
export interface Referrer {
  readonly resource: Resource;
  readonly property: string;
  readonly onDelete: OnDelete;
}

/** A descriptor with all that is worked out once, at boot. */
export interface Resource {
  readonly descriptor: ResourceDescriptor;
  readonly codec: RowCodec;
  /** A row whose properties are decoded when they are read. */
  readonly View: RowView;
  readonly property: ReadonlyMap<string, PropertyDescriptor>;
  readonly inputs: readonly PropertyDescriptor[];
  readonly machines: readonly PropertyDescriptor[];
  readonly immutables: readonly PropertyDescriptor[];
  readonly references: readonly PropertyDescriptor[];
  readonly parent: Resource | undefined;
  readonly referrers: readonly Referrer[];
  /** Keys of the resources whose lists a written row may change, and a deleted one. */
  readonly stale: { readonly write: readonly string[]; readonly delete: readonly string[] };
  readonly sorts: ReadonlyMap<string, { readonly property: string; readonly direction: 'asc' | 'desc' }>;
  /** Fills in defaults. */
  readonly validateInput: Validate;
  /** The input that a patched row amounts to. */
  readonly validateMerged: Validate;
  readonly validatePatch: Validate;
  readonly checks: CallChecks;
  /** An id in the spelling that rows have: a UUID in lower case. */
  idOf(text: string): string;
  /** Position of a property's value in a row. */
  index(property: string): number;
  valueIn(row: Row, property: string): Row[number];
}
