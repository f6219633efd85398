import type { ResourceDescriptor } from '../../descriptor/resource.ts';

/** Resources so that those referred to come first. */
export function inOrder(resources: readonly ResourceDescriptor[]): ResourceDescriptor[] {
  const byKey = new Map(resources.map((resource) => [resource.key, resource]));
  const done = new Set<ResourceDescriptor>();
  const add = (resource: ResourceDescriptor | undefined, path: readonly string[]): void => {
    if (!resource || done.has(resource) || path.includes(resource.key)) return;
    const needed = resource.properties.flatMap(({ references }) => references?.resource ?? []);
    for (const key of [resource.parent?.resource ?? '', ...needed]) add(byKey.get(key), [...path, resource.key]);
    done.add(resource);
  };
  for (const resource of resources) add(resource, []);
  return [...done];
}
