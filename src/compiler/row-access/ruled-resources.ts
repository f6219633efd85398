import type { ResourceDraft } from '../model/draft.ts';
import { type ReadAccess, readAccess } from './read-access.ts';
import { referencesOf } from './relations.ts';

/** A resource with `x-access`, and what that says. */
export interface RuledResource {
  readonly resource: ResourceDraft;
  readonly read: ReadAccess;
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

/** Whether a property of a resource, by the resource's key, is there in every row. */
export function presenceIn(resources: readonly ResourceDraft[]): (resource: string, property: string) => boolean {
  return (key, name) => {
    const property = resources.find((resource) => resource.key === key)?.schema.properties.get(name);
    return property?.required === true && !property.flat.nullable;
  };
}
