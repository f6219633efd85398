import type { FieldAccess, RowAccess } from '../../../descriptor/row-access.ts';
import type { PropertyDraft, ResourceDraft } from '../draft.ts';
import { type ReadAccess, readAccess, readFieldAccess } from './read-access.ts';
import { referencesOf } from './relations.ts';

/** A resource with `x-access`, and what that says. */
export interface RuledResource {
  readonly resource: ResourceDraft;
  readonly read: ReadAccess<RowAccess>;
  /** The node whose `x-access` it is. */
  readonly node: object;
}

/** The resources that have rules of row access. */
export function ruledResources(resources: readonly ResourceDraft[]): readonly RuledResource[] {
  const references = referencesOf(resources);
  return resources.flatMap((resource) => {
    const keyword = resource.schema.flat.keywords.get('x-access');
    return keyword ? [{ resource, read: readAccess(resource, references), node: keyword.node }] : [];
  });
}

/** A property with `x-access`, and what that says. */
export interface RuledField {
  readonly resource: ResourceDraft;
  readonly property: PropertyDraft;
  readonly read: ReadAccess<FieldAccess>;
  /** The node whose `x-access` it is. */
  readonly node: object;
}

/** The properties that have rules of access. Those of an embedded resource are about its rows, and not about the property. */
export function ruledFields(resources: readonly ResourceDraft[]): readonly RuledField[] {
  const references = referencesOf(resources);
  const schemas = new Set(resources.flatMap(({ schema }) => schema.flat.nodes));
  return resources.flatMap((resource) =>
    [...resource.schema.properties.values()].flatMap((property) => {
      const node = property.flat.keywords.get('x-access')?.node;
      if (!node || schemas.has(node)) return [];
      return [{ resource, property, read: readFieldAccess(resource, property, references), node }];
    }),
  );
}

/** Whether a property of a resource, by the resource's key, is there in every row. */
export function presenceIn(resources: readonly ResourceDraft[]): (resource: string, property: string) => boolean {
  return (key, name) => {
    const property = resources.find((resource) => resource.key === key)?.schema.properties.get(name);
    return property?.required === true && !property.flat.nullable;
  };
}
