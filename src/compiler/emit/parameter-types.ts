import { idProperty, type ResourceDescriptor } from '../../descriptor/resource.ts';

/** The TypeScript type of a resource's id. */
export const idType = (resource: ResourceDescriptor): 'number' | 'string' =>
  idProperty(resource).type === 'integer' ? 'number' : 'string';

/** The parameters of a collection's path with the TypeScript type of each: the ids of its ancestors, outermost first. */
export function parameterTypes(
  { path, parent }: ResourceDescriptor,
  resources: readonly ResourceDescriptor[],
): ReadonlyMap<string, 'number' | 'string'> {
  const above = resources.find(({ key }) => key === parent?.resource);
  if (!parent || !above) return new Map();
  const types = new Map([...parameterTypes(above, resources), [parent.parameter, idType(above)]]);
  return new Map([...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => [name!, types.get(name!) ?? 'string']));
}
