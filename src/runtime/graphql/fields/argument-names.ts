import type { ParamArguments } from '../../../descriptor/graphql.ts';
import type { ResourceDescriptor } from '../../../descriptor/resource.ts';

/** The path parameters of a collection by argument: both have the names of the ids of the ancestors. */
export function collectionArguments({ path }: ResourceDescriptor): ParamArguments {
  return Object.fromEntries([...path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => [name!, name!]));
}

/** The same for one resource, whose own id is the argument `id`. */
export const resourceArguments = (resource: ResourceDescriptor): ParamArguments => ({
  ...collectionArguments(resource),
  id: resource.idParameter,
});
