import type { ResourceDescriptor } from './resource.ts';

/** The parent of a sub-resource; undefined for any other. */
export const parentOf = (
  resources: readonly ResourceDescriptor[],
  { parent }: Pick<ResourceDescriptor, 'parent'>,
): ResourceDescriptor | undefined => resources.find(({ key }) => key === parent?.resource);

/** A resource, its parent, and so on. */
export function levelsFrom(
  resource: ResourceDescriptor,
  resources: readonly ResourceDescriptor[],
): readonly ResourceDescriptor[] {
  const parent = parentOf(resources, resource);
  return [resource, ...(parent ? levelsFrom(parent, resources) : [])];
}
