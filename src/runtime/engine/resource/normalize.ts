import { dateOf } from '../../../descriptor/formats/date-time.ts';
import {
  type Id,
  namingProperty,
  type PropertyDescriptor,
  type ResourceDescriptor,
  readKeys,
} from '../../../descriptor/resource.ts';
import type { PathParams } from '../interface/call.ts';
import type { Resource, RowName } from './resource.ts';
import type { Values } from './row-codec.ts';

/**
 * The canonical form of a validated value, so that stored values compare and sort by what they mean: UUIDs in lower
 * case (RFC 9562, 4), times in UTC (RFC 3339, 5.6), truncated to milliseconds.
 */
export function normalize(property: PropertyDescriptor, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  switch (property.type) {
    case 'uuid':
      return value.toLowerCase();
    case 'date-time': {
      const time = dateOf(value);
      // Code may give what is not a time: its row is judged.
      return Number.isNaN(time.valueOf()) ? value : time.toISOString();
    }
    default:
      return value;
  }
}

/** The values in canonical form, without those of unknown properties. */
export function normalized(resource: Resource, values: Values): Values {
  const entries = Object.entries(values).filter(([name]) => resource.property.has(name));
  return Object.fromEntries(entries.map(([name, value]) => [name, normalize(resource.property.get(name)!, value)]));
}

/** Reads which row path parameters name: by the parameter of its path, or else by that of another unique property. */
export function rowNamer(resource: ResourceDescriptor): (params: PathParams) => RowName {
  const naming = namingProperty(resource);
  const keys = readKeys(resource).map((name) => {
    const property = resource.properties.find((one) => one.name === name)!;
    return { property, parameter: name === naming ? resource.idParameter : name };
  });
  const own = keys[0]!;
  return (params) => {
    const isOwn = keys.length === 1 || params[own.parameter] !== undefined;
    const { property, parameter } = isOwn ? own : (keys.find((key) => params[key.parameter] !== undefined) ?? own);
    return { property: property.name, value: normalize(property, params[parameter]!) as Id };
  };
}
