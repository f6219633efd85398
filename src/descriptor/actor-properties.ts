import { conventionNames } from './convention-names.ts';
import type { PropertyDescriptor, ResourceDescriptor } from './resource.ts';

/** The properties that say who has made a row and who has changed it last, as far as a resource has them. */
export interface ActorProperties {
  readonly created: PropertyDescriptor | undefined;
  readonly updated: PropertyDescriptor | undefined;
}

/** They are texts or UUIDs that no input has; any other property of the name has no meaning. */
export function actorProperties({
  properties,
  nameCase,
}: Pick<ResourceDescriptor, 'properties' | 'nameCase'>): ActorProperties {
  const { createdBy, updatedBy } = conventionNames(nameCase);
  const named = (wanted: string): PropertyDescriptor | undefined =>
    properties.find(
      ({ name, origin, type }) => name === wanted && origin === 'server' && (type === 'uuid' || type === 'string'),
    );
  return { created: named(createdBy), updated: named(updatedBy) };
}
