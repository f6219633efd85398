import { childPointer } from '../../../descriptor/json-pointer.ts';
import type { Id } from '../../../descriptor/resource.ts';
import type { Principal } from '../../auth/principal.ts';
import { ApiError, type FieldError } from '../../errors/api-error.ts';
import type { Reader, Row } from '../../storage/store.ts';
import { StoreError } from '../../storage/store-error.ts';
import { mayFilterBy } from '../access/field-checks.ts';
import { danglingReference, referenceNotFound } from '../resource/faults.ts';
import type { Resource } from '../resource/resource.ts';
import type { UnitOfWork } from './unit-of-work.ts';

/** The database reports which key is violated; the caller gets the property that violates it. */
export async function explained(error: unknown, unit: UnitOfWork, resource: Resource, row: Row): Promise<unknown> {
  if (!(error instanceof StoreError)) return error;
  switch (error.failure.kind) {
    case 'unique':
      return alreadyExists(resource, error.failure.properties, error, unit.principal);
    case 'reference':
      return referenceNotFound(await danglingIn(unit.transaction.unlocked, resource, row), error);
    default:
      return error;
  }
}

/**
 * A key is unique within a tenant, of which callers do not think. A property that the caller may not read is not named:
 * what it has in other rows must not be revealed.
 */
function alreadyExists(
  resource: Resource,
  key: readonly string[],
  cause: StoreError,
  principal: Principal | undefined,
): ApiError {
  const { descriptor, tenancy } = resource;
  const { name: noun } = descriptor;
  const properties = key.length > 1 ? key.filter((name) => name !== tenancy?.property) : key;
  const named = properties.filter((name) => mayFilterBy(resource, name, principal));
  const isWhole = named.length === properties.length;
  const detail = isWhole ? `another ${noun} has this ${named.join(' and ')}` : `another ${noun} excludes this one`;
  const errors = named.map((name): FieldError => ({ pointer: childPointer('', name), code: 'ALREADY_EXISTS', detail }));
  return new ApiError('ALREADY_EXISTS', { detail: `${detail[0]!.toUpperCase()}${detail.slice(1)}.`, errors, cause });
}

async function danglingIn(reader: Reader, resource: Resource, row: Row): Promise<FieldError[]> {
  const errors: FieldError[] = [];
  for (const { name, references } of resource.references) {
    const target = resource.valueIn(row, name);
    if (target === null || (await reader.get(references.resource, target as Id))) continue;
    errors.push(danglingReference(resource, name, target as Id));
  }
  return errors;
}
