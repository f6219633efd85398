import { dateOf, microsecondText } from '../../../descriptor/formats/date-time.ts';
import {
  type Id,
  namingProperty,
  type PropertyDescriptor,
  type ResourceDescriptor,
  readKeys,
} from '../../../descriptor/resource.ts';
import { WrittenNumber } from '../../../descriptor/written-number.ts';
import type { PathParams } from '../interface/call.ts';
import type { Resource, RowName } from './resource.ts';
import type { Values } from './row-codec.ts';

/**
 * The canonical form of a validated value, so that stored values compare and sort by what they mean: UUIDs in lower
 * case (RFC 9562, 4), times in UTC (RFC 3339, 5.6), truncated to milliseconds, or to microseconds in a table of others.
 */
export function normalize(property: PropertyDescriptor, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  switch (property.type) {
    case 'uuid':
      return value.toLowerCase();
    case 'date-time': {
      const time = dateOf(value);
      // Code may give what is not a time: its row is judged.
      if (Number.isNaN(time.valueOf())) return value;
      return property.columns ? microsecondText(time, value) : time.toISOString();
    }
    default:
      return value;
  }
}

/** What a patch makes of a value of a property, in canonical form. */
export const patched = (property: PropertyDescriptor, value: unknown, patch: unknown): unknown =>
  normalize(property, mergePatch(value, patch));

/** JSON Merge Patch (RFC 7396, 2): objects merge, null removes, anything else replaces. */
function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged: Record<string, unknown> = isObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name];
    else merged[name] = mergePatch(merged[name], value);
  }
  return merged;
}

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof WrittenNumber);

/** Whether code passes on what a caller has sent. What has members counts as changed, which they may be. */
export const isAsSent = ({ descriptor: { properties } }: Resource, values: Values, input: Values): boolean =>
  properties.every(({ name }) => {
    const value = values[name];
    return value === input[name] && (typeof value !== 'object' || value === null);
  });

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
