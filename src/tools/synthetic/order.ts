import { type ResourceDescriptor, resourceWithKey } from '../../descriptor/resource.ts';

/** Resources so that those referred to come first; in a circle, those without which no row of another can be made. */
export function inOrder(resources: readonly ResourceDescriptor[]): ResourceDescriptor[] {
  const byKey = new Map(resources.map((resource) => [resource.key, resource]));
  const done = new Set<ResourceDescriptor>();
  const add = (resource: ResourceDescriptor | undefined, path: readonly string[]): void => {
    if (!resource || done.has(resource) || path.includes(resource.key)) return;
    const way = [...path, resource.key];
    const named = resource.properties.flatMap(({ references }) => references?.resource ?? []);
    for (const key of [...(resource.parent ? [resource.parent.resource] : []), ...named]) {
      const isNeeded = needsOf(resource).includes(key);
      if (isNeeded || !way.some((one) => allNeeds(key, resources).has(one))) add(byKey.get(key), way);
    }
    done.add(resource);
  };
  for (const resource of resources) add(resource, []);
  return [...done];
}

/** The resources of which a row must be there before one of this can be made: its parent's, and those that it must refer to. */
const needsOf = ({ parent, properties }: ResourceDescriptor): readonly string[] => [
  ...(parent ? [parent.resource] : []),
  ...properties.flatMap(({ references, required, nullable }) =>
    references && required && !nullable ? [references.resource] : [],
  ),
];

/** These, and whatever they need in turn. */
export function allNeeds(key: string, resources: readonly ResourceDescriptor[]): ReadonlySet<string> {
  const all = new Set<string>();
  const add = (one: string): void => {
    for (const need of needsOf(resourceWithKey(resources, one)))
      if (!all.has(need)) {
        all.add(need);
        add(need);
      }
  };
  add(key);
  return all;
}

/** What keeps every row of a resource from being made: a resource whose rows need others of it first. */
export const circleOf = (key: string, resources: readonly ResourceDescriptor[]): string | undefined =>
  [key, ...allNeeds(key, resources)].find((one) => allNeeds(one, resources).has(one));
