import type { PropertyDescriptor } from '../descriptor/resource.ts';

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
