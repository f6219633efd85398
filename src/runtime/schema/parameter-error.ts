import { pointerTokens } from '../../descriptor/json-pointer.ts';
import type { ObjectForm, ParameterDescriptor } from '../../descriptor/rest.ts';
import type { FieldError } from '../errors/api-error.ts';

/**
 * A fault in the value of a parameter, by the name that the caller used: `price[gte]` in a deepObject, `filter/or/0` in
 * JSON.
 */
export function parameterError(parameter: ParameterDescriptor, error: FieldError): FieldError {
  const pointer = 'pointer' in error ? error.pointer : '';
  const property = pointerTokens(pointer)[0];
  const name = parameter.kind === 'json' ? parameter.name + pointer : nameWithin(parameter, property);
  return parameterFault(parameter, name, error.detail);
}

/** `price[gte]` for a property of a deepObject; faults of other properties and of items have the parameter's name. */
export const nameWithin = (parameter: ParameterDescriptor, property: string | undefined): string =>
  property !== undefined && isDeepObject(parameter) ? `${parameter.name}[${property}]` : parameter.name;

export type ObjectParameter = ParameterDescriptor & ObjectForm;

export const isDeepObject = (parameter: ParameterDescriptor): parameter is ObjectParameter =>
  parameter.kind === 'object' && parameter.style === 'deepObject';

/** A fault of a parameter, by the name that the caller used. */
export function parameterFault({ in: place }: ParameterDescriptor, name: string, detail: string): FieldError {
  return place === 'header' ? { header: name, detail } : { parameter: name, detail };
}
