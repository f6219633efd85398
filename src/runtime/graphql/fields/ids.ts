import { lookUp } from '../../../descriptor/look-up.ts';
import {
  holdsId,
  namingProperty,
  type PropertyDescriptor,
  type ResourceDescriptor,
} from '../../../descriptor/resource.ts';
import type { Engine } from '../../engine/interface/engine.ts';

const INTEGER = /^(?:0|-?[1-9]\d*)$/;

/** A value of `ID`, or several, as the contract's JSON has it. */
export type DecodeId = (value: unknown) => unknown;

/**
 * An `ID` of a property that is an integer as a number: GraphQL gives it as text (GraphQL, 3.5.5). What spells no integer
 * stays as it is, for the contract's schemas to refuse, as they refuse numbers that JSON rounds.
 */
export const integerOf: DecodeId = (value) => {
  if (Array.isArray(value)) return value.map(integerOf);
  const integer = typeof value === 'string' && INTEGER.test(value) ? Number(value) : Number.NaN;
  return Number.isFinite(integer) ? integer : value;
};

/** The parameters of a resource's path whose ids are integers. */
export function integerParameters({ resources }: Engine, resource: ResourceDescriptor): ReadonlySet<string> {
  const names = new Set<string>();
  if (isInteger(resource, 'id')) names.add(namingProperty(resource) === 'id' ? resource.idParameter : 'id');
  for (let at = resource; at.parent; ) {
    const above = lookUp(resources, at.parent.resource).descriptor;
    if (namingProperty(above) === 'id' && isInteger(above, 'id')) names.add(at.parent.parameter);
    at = above;
  }
  return names;
}

/** The properties that are ids or refer to one, and are integers. */
export function integerIds({ properties }: ResourceDescriptor): ReadonlySet<string> {
  return new Set(properties.filter(isIntegerId).map(({ name }) => name));
}

const isInteger = ({ properties }: ResourceDescriptor, name: string): boolean =>
  properties.some((property) => property.name === name && property.type === 'integer');

const isIntegerId = (property: PropertyDescriptor): boolean => property.type === 'integer' && holdsId(property);
