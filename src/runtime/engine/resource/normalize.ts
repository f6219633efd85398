import type { PropertyDescriptor } from '../../../descriptor/resource.ts';
import type { Resource } from './resource.ts';
import type { Values } from './row-codec.ts';

/**
 * One spelling per value, so that rows compare and sort as what they mean: UUIDs in lower case (RFC 9562, 4),
 * times in UTC with milliseconds (RFC 3339, 5.6). The value has been validated.
 */
export function normalize(property: PropertyDescriptor, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  switch (property.type) {
    case 'uuid':
      return value.toLowerCase();
    case 'date-time':
      return new Date(value).toISOString();
    default:
      return value;
  }
}

/** Each value in its one spelling; the other properties are left out. */
export function normalized(resource: Resource, values: Values): Values {
  const entries = Object.entries(values).filter(([name]) => resource.property.has(name));
  return Object.fromEntries(entries.map(([name, value]) => [name, normalize(resource.property.get(name)!, value)]));
}
