import type { ParamArguments } from '../../../descriptor/graphql.ts';
import { namingProperty, type ResourceDescriptor } from '../../../descriptor/resource.ts';

/** The path parameters of a collection by argument: both have the names of the ids of the ancestors. */
export function collectionArguments({ path }: ResourceDescriptor): ParamArguments {
  return Object.fromEntries([...path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => [name!, name!]));
}

/** The same for one resource, whose own id is the argument `id`; another key is the argument of its name. */
export const resourceArguments = (resource: ResourceDescriptor): ParamArguments => ({
  ...collectionArguments(resource),
  [namingProperty(resource)]: resource.idParameter,
});

/** The same where it may be named by any of these properties. */
export const keyArguments = (resource: ResourceDescriptor, by: readonly string[]): ParamArguments => ({
  ...collectionArguments(resource),
  ...Object.fromEntries(by.map((key) => [key, key === namingProperty(resource) ? resource.idParameter : key])),
});
