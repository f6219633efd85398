import { childPointer } from '../../../descriptor/json-pointer.ts';
import type { Id } from '../../../descriptor/resource.ts';
import type { Principal } from '../../auth/principal.ts';
import { ApiError, type FieldError } from '../../errors/api-error.ts';
import type { Reader, Row } from '../../storage/store.ts';
import { StoreError, type StoreFailure } from '../../storage/store-error.ts';
import { mayFilterBy } from '../access/field-checks.ts';
import { invalidValue, refusedByDatabase } from '../interface/store-failure.ts';
import { danglingReference, referenceNotFound } from '../resource/faults.ts';
import type { Resource } from '../resource/resource.ts';
import { validationFailed } from '../resource/validated.ts';
import type { UnitOfWork } from './unit-of-work.ts';

/** The database reports which key is violated; the caller gets the property that violates it. */
export async function explained(error: unknown, unit: UnitOfWork, resource: Resource, row: Row): Promise<unknown> {
  if (!(error instanceof StoreError)) return error;
  switch (error.failure.kind) {
    case 'unique':
      return alreadyExists(resource, error.failure.properties, error, unit.principal);
    case 'reference':
      return unreferenced(await danglingIn(unit.transaction.unlocked, resource, row), resource, error, row);
    case 'disagreement':
      return disagreeing(resource, error.failure.properties);
    case 'value':
    case 'refused':
      return refusedBy(resource, error.failure, error, row);
    default:
      return error;
  }
}

/** Foreign keys of a table of others may belong to no reference of the contract. */
function unreferenced(dangling: readonly FieldError[], resource: Resource, cause: StoreError, row: Row): ApiError {
  const { failure } = cause;
  const properties = failure.kind === 'reference' ? failure.properties : undefined;
  if (dangling.length > 0 || !properties || properties.some((name) => resource.targets.has(name)))
    return referenceNotFound(dangling, cause);
  return refusedBy(resource, { kind: 'refused', properties }, cause, row);
}

/** One column holds the values of several properties. The path gives that of the parent. */
function disagreeing({ property }: Resource, names: readonly string[]): ApiError {
  const sent = names.filter((name) => property.get(name)?.origin === 'input');
  const errors = sent.map((name): FieldError => {
    const others = names.filter((other) => other !== name).join();
    return { pointer: childPointer('', name), detail: `differs from ${others}, with which it shares a column` };
  });
  return validationFailed(errors);
}

/** A refusal by a table of others; only properties that callers send are named, and no text of the database. */
function refusedBy(
  { property, descriptor: { name }, valueIn }: Resource,
  { kind, properties }: Extract<StoreFailure, { kind: 'value' | 'refused' }>,
  cause: StoreError,
  row: Row,
): ApiError {
  const sent = properties.filter((one) => property.get(one)?.origin === 'input');
  const errors = sent.map((one): FieldError => {
    const detail = valueIn(row, one) === null ? 'must have a value' : 'is not a value that the database accepts';
    return { pointer: childPointer('', one), detail };
  });
  if (kind === 'refused') return refusedByDatabase(name, cause, errors);
  return errors.length > 0 ? validationFailed(errors) : invalidValue(cause);
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
  const isWhole = named.length === properties.length && named.length > 0;
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
