import type { OpenApiDocument } from '../../../descriptor/document.ts';
import type { OnDelete, PropertyDescriptor, ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { SchemaRegistry, Validate } from '../../schema/schema-registry.ts';
import type { Row } from '../../storage/store.ts';
import { staleAfter } from '../lists/list-cache.ts';
import { type CallChecks, callChecks } from './call-checks.ts';
import { createRowCodec, type RowCodec } from './row-codec.ts';
import { createRowView, type RowView } from './row-view.ts';

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
  /** Position of a property's value in a row. */
  index(property: string): number;
  valueIn(row: Row, property: string): Row[number];
}

type Linked = Resource & { parent: Resource | undefined; referrers: Referrer[]; stale: Resource['stale'] };

/** All resources of a contract by key, linked to each other. */
export function compileResources(
  descriptors: readonly ResourceDescriptor[],
  document: OpenApiDocument,
  schemas: SchemaRegistry,
): ReadonlyMap<string, Resource> {
  const resources = new Map(descriptors.map((descriptor) => [descriptor.key, compile(descriptor, document, schemas)]));
  for (const resource of resources.values()) link(resource, resources);
  for (const resource of resources.values())
    resource.stale = {
      write: staleAfter(resource, 'write', resources),
      delete: staleAfter(resource, 'delete', resources),
    };
  return resources;
}

function compile(descriptor: ResourceDescriptor, document: OpenApiDocument, schemas: SchemaRegistry): Linked {
  const { properties, list } = descriptor;
  const positions = new Map(properties.map(({ name }, i) => [name, i]));
  const index = (property: string): number => positions.get(property)!;
  return {
    descriptor,
    codec: createRowCodec(properties),
    View: createRowView(properties),
    property: new Map(properties.map((property) => [property.name, property])),
    inputs: properties.filter(({ origin }) => origin === 'input'),
    machines: properties.filter(({ transitions }) => transitions !== undefined),
    immutables: properties.filter(({ immutable }) => immutable),
    references: properties.filter(({ references }) => references !== undefined),
    parent: undefined,
    referrers: [],
    stale: { write: [], delete: [] },
    sorts: new Map(list?.sorts.map((sort) => [sort.value, sort])),
    ...validatorsOf(descriptor, document, schemas),
    checks: callChecks(descriptor, document, schemas),
    index,
    valueIn: (row, property) => row[index(property)]!,
  };
}

function validatorsOf({ schemas: names }: ResourceDescriptor, document: OpenApiDocument, schemas: SchemaRegistry) {
  const component = (name: string | undefined) =>
    name !== undefined && document.components?.schemas?.[name] !== undefined
      ? { $ref: `#/components/schemas/${name}` }
      : false;
  return {
    validateInput: schemas.input(component(names.input), { defaults: true }),
    validateMerged: schemas.input(component(names.input)),
    validatePatch: schemas.input(component(names.patch)),
  };
}

function link(resource: Linked, resources: ReadonlyMap<string, Linked>): void {
  const { parent } = resource.descriptor;
  if (parent) resource.parent = resources.get(parent.resource)!;
  for (const { name, references } of resource.references) {
    const referrer = { resource, property: name, onDelete: references!.onDelete };
    resources.get(references!.resource)!.referrers.push(referrer);
  }
}
