import { parentOf } from '../../descriptor/levels.ts';
import { namingProperty, propertyNamed, type ResourceDescriptor } from '../../descriptor/resource.ts';
import { pathParameters } from '../../descriptor/sent-path.ts';

/** The TypeScript type of a property that names one of a resource, or of its id. */
export const keyType = (resource: ResourceDescriptor, name = 'id'): 'number' | 'string' =>
  propertyNamed(resource.properties, name).type === 'integer' ? 'number' : 'string';

/** The parameters of a collection's path with the TypeScript type of each: what names its ancestors, outermost first. */
export function parameterTypes(
  resource: ResourceDescriptor,
  resources: readonly ResourceDescriptor[],
): ReadonlyMap<string, 'number' | 'string'> {
  const { path, parent } = resource;
  const above = parentOf(resources, resource);
  if (!parent || !above) return new Map();
  const types = new Map([
    ...parameterTypes(above, resources),
    [parent.parameter, keyType(above, namingProperty(above))],
  ]);
  return new Map(pathParameters(path).map((name) => [name, types.get(name) ?? 'string']));
}
