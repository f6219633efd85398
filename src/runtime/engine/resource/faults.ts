import { childPointer } from '../../../descriptor/json-pointer.ts';
import { lookUp } from '../../../descriptor/look-up.ts';
import { type Id, namingProperty, type ResourceDescriptor } from '../../../descriptor/resource.ts';
import { ApiError, type FieldError } from '../../errors/api-error.ts';
import type { Resource } from './resource.ts';

/** The error for properties that a caller tries to change after creation. */
export function immutable(names: readonly string[]): ApiError {
  const detail = 'can only be set on creation';
  return new ApiError('IMMUTABLE_PROPERTY', {
    detail: `${names.join(', ')} ${detail}.`,
    errors: names.map((name): FieldError => ({ pointer: childPointer('', name), code: 'IMMUTABLE_PROPERTY', detail })),
  });
}

/** `by`: the properties that name the row, if they are not those of its path. */
export const notFoundOf = (
  descriptor: ResourceDescriptor,
  by: readonly string[] = [namingProperty(descriptor)],
): ApiError => new ApiError('NOT_FOUND', { detail: `No ${descriptor.name} has this ${by.join(' and ')}.` });

export const danglingReference = (resource: Resource, property: string, id: Id): FieldError => ({
  pointer: childPointer('', property),
  code: 'REFERENCE_NOT_FOUND',
  detail: `no ${lookUp(resource.targets, property).descriptor.name} has the id ${id}`,
});

export function referenceNotFound(errors: readonly FieldError[], cause?: unknown): ApiError {
  return new ApiError('REFERENCE_NOT_FOUND', {
    detail: 'The resource refers to another that does not exist.',
    errors,
    ...(cause !== undefined && { cause }),
  });
}
