import { pointerTokens } from '../../../descriptor/json-pointer.ts';
import type { FieldError } from '../../errors/api-error.ts';
import type { Row } from '../../storage/store.ts';
import type { Resource } from './resource.ts';

/**
 * Hand-written code would write a row that the contract does not allow. It is for the developer, and begins its stack with
 * the call in that code; callers are answered `INTERNAL_ERROR`.
 */
export class RowError extends Error {}

RowError.prototype.name = 'RowError';

/** The function that hand-written code calls, or the stack of an earlier call of one that reads before it writes. */
export type Called = ((...args: never) => unknown) | { readonly stack?: string };

/** The error for faults of a row, by their places in it. */
export function rowError({ descriptor }: Resource, faults: readonly FieldError[], called: Called): RowError {
  const { name, schemas } = descriptor;
  const found = faults.map((fault) => `${placeOf(fault)} ${fault.detail}`.trim());
  const error = new RowError(
    `This ${name} is not written: it violates the contract (${schemas.resource}): ${found.join('; ')}. Write a row that the schema allows, or change the schema.`,
  );
  if (typeof called === 'function') Error.captureStackTrace(error, called);
  else error.stack = `${error.name}: ${error.message}${called.stack?.slice(called.stack.indexOf('\n')) ?? ''}`;
  return error;
}

/**
 * Checks a row that code writes by the schema that it is answered by, as a migration checks the rows that it finds. What was
 * wrong before, in a property that stays as it is, is not the code's fault. Throws `RowError`.
 */
export function judge(resource: Resource, row: Row, called: Called, current?: Row): void {
  const faults = faultsOf(resource, row).filter((fault) => !wasThere(resource, fault, row, current));
  if (faults.length > 0) throw rowError(resource, faults, called);
}

function faultsOf(resource: Resource, row: Row): readonly FieldError[] {
  const faults = resource.validateAnswer(resource.codec.toValues(row));
  if (!faults) return [];
  const isLeft = (name: string | undefined): boolean =>
    resource.property.has(name ?? '') &&
    (name === 'id' ? resource.idMaker === 'database' : resource.descriptor.mapped !== undefined) &&
    resource.valueIn(row, name ?? '') === null;
  return faults.filter((fault) => !isLeft(propertyOf(fault)));
}

function wasThere(resource: Resource, fault: FieldError, row: Row, current: Row | undefined): boolean {
  if (!current) return false;
  const property = propertyOf(fault);
  const isKept = property === undefined || resource.valueIn(row, property) === resource.valueIn(current, property);
  const isSame = (one: FieldError): boolean => placeOf(one) === placeOf(fault) && one.detail === fault.detail;
  return isKept && faultsOf(resource, current).some(isSame);
}

const placeOf = (fault: FieldError): string => ('pointer' in fault ? fault.pointer : '');
const propertyOf = (fault: FieldError): string | undefined => pointerTokens(placeOf(fault))[0];
