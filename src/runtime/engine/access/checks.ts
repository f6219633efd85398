import { childPointer } from '../../../descriptor/json-pointer.ts';
import type { Id } from '../../../descriptor/resource.ts';
import type { RowAction } from '../../../descriptor/row-access.ts';
import { type MaybePromise, rejected, whenKnown } from '../../async/maybe-promise.ts';
import type { Principal } from '../../auth/principal.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { Reader, Row } from '../../storage/store.ts';
import { withRule } from '../resource/refusals.ts';
import type { Resource } from '../resource/resource.ts';

type Change = Exclude<RowAction, 'read'>;

/** Throws `FORBIDDEN` when the resource's rule for the action does not hold for a stored row, which the caller reads. */
export function checkAllowed(
  reader: Reader,
  resource: Resource,
  row: Row,
  principal: Principal | undefined,
  action: Change,
): MaybePromise<void> {
  const allowed = isAllowed(reader, resource, resource.valueIn(row, 'id') as Id, principal, action);
  if (allowed === undefined) return undefined;
  return whenKnown(allowed, (isIt) => (isIt ? undefined : rejected(refused(resource, action, principal, []))));
}

/**
 * Throws `FORBIDDEN` when the rule does not hold for a row as an action has left it in the transaction, with a pointer to
 * each of the `given` properties that the rule reads: they may be at fault.
 */
export function checkWritten(
  reader: Reader,
  resource: Resource,
  id: Id,
  principal: Principal | undefined,
  action: 'create' | 'update',
  given: () => readonly string[],
): MaybePromise<void> {
  const allowed = isAllowed(reader, resource, id, principal, action);
  if (allowed === undefined) return undefined;
  return whenKnown(allowed, (isIt) =>
    isIt ? undefined : rejected(refusedValues(resource, action, principal, given())),
  );
}

/**
 * `checkWritten` for a row that could not be stored, as another has its key: who may not write it must not learn of that.
 * It is judged by the values given here, and by other rows as they are.
 */
export function checkUnstored(
  reader: Reader,
  resource: Resource,
  row: Row,
  principal: Principal | undefined,
  action: 'create' | 'update',
  given: () => readonly string[],
): MaybePromise<void> {
  const conditions = resource.access?.[action]?.conditionsFor(principal) ?? [];
  if (conditions.length === 0) return undefined;
  return whenKnown(reader.meetEach(resource.descriptor.key, [row], conditions), ([isIt]) =>
    isIt ? undefined : rejected(refusedValues(resource, action, principal, given())),
  );
}

function refusedValues(
  resource: Resource,
  action: 'create' | 'update',
  principal: Principal | undefined,
  given: readonly string[],
): ApiError {
  const { properties } = resource.access![action]!;
  const faulty = given.filter((name) => properties.has(name));
  return refused(resource, action, principal, faulty);
}

/** Undefined where no rule binds the caller. */
function isAllowed(
  reader: Reader,
  resource: Resource,
  id: Id,
  principal: Principal | undefined,
  action: Change,
): MaybePromise<boolean> | undefined {
  const conditions = resource.access?.[action]?.conditionsFor(principal);
  if (conditions === undefined || conditions.length === 0) return undefined;
  return whenKnown(reader.get(resource.descriptor.key, id, conditions), (row) => row !== undefined);
}

const WORDS: Readonly<Record<Change, string>> = {
  create: 'create such a',
  update: 'change this',
  delete: 'delete this',
};

function refused(
  { descriptor: { name }, refusals }: Resource,
  action: Change,
  principal: Principal | undefined,
  faulty: readonly string[],
): ApiError {
  const errors = faulty.map((property) => ({
    pointer: childPointer('', property),
    detail: `you may not ${WORDS[action]} ${name} with this value`,
  }));
  return new ApiError('FORBIDDEN', {
    detail: withRule(`You may not ${WORDS[action]} ${name}.`, refusals?.access(action, principal)),
    ...(errors.length > 0 && { errors }),
  });
}
