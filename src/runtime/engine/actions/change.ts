import type { Action, Id } from '../../../descriptor/resource.ts';
import type { Row } from '../../storage/store.ts';
import { shown } from '../access/fields.ts';
import { find } from '../access/find.ts';
import { checkOwned } from '../access/owner.ts';
import { checkParents, withAncestorIds } from '../access/parents.ts';
import { checkAllowed } from '../access/rules.ts';
import type { DeleteCall, WriteCall } from '../interface/call.ts';
import { checkExpectation, namesViews } from '../interface/expectation.ts';
import type { Resource } from '../resource/resource.ts';
import type { Values } from '../resource/row-codec.ts';
import { withinTenant } from '../transaction/code-scope.ts';
import type { Change } from '../transaction/in-transaction.ts';
import type { Runtime } from '../transaction/runtime.ts';

/** A row about to change: visible to the caller, who may change it, and at an expected version. */
export interface Target extends Change {
  readonly row: Row;
  readonly current: Values;
}

type RowCall = WriteCall | DeleteCall;

/**
 * Finds and checks an existing row, then changes it, within a transaction. Throws `NOT_FOUND`, `FORBIDDEN`,
 * `PRECONDITION_FAILED`.
 */
export function rowChanger<C extends RowCall, T>(
  runtime: Runtime,
  resource: Resource,
  action: Action,
  work: (target: Target, call: C) => Promise<T>,
): (change: Change, call: C) => Promise<T> {
  const ruled = action === 'delete' ? 'delete' : 'update';
  const targetOf = targeting(runtime, resource, ruled);
  return async (begun, call) => {
    const { transaction } = begun;
    const { principal } = call.caller;
    let [params, change] = [call.params, begun];
    if (resource.parent) {
      params = await withAncestorIds(transaction.unlocked, resource, params, principal);
      await checkParents(transaction.unlocked, resource, params, principal, ruled);
      change = await begun.withParents(resource, action, params);
    }
    const row = await find(begun.isAlone ? transaction.unlocked : transaction, resource, params, principal);
    return work(await targetOf(change, { ...call, params }, row), call);
  };
}

/** The target that a row is that its caller has found, whose path names its ancestors by their ids. */
export function targeting(
  runtime: Runtime,
  resource: Resource,
  action: 'update' | 'delete',
): (change: Change, call: RowCall, row: Row) => Promise<Target> {
  // Where callers read no other rows than their own, they find no other.
  const findsOthers = resource.descriptor.owner?.reads === 'anyone';
  return async (change, call, row) => {
    const {
      expect,
      caller: { principal },
    } = call;
    const { unlocked } = change.transaction;
    if (findsOthers) checkOwned(resource, row, principal);
    const id = resource.valueIn(row, 'id') as Id;
    if (resource.access) await checkAllowed(unlocked, resource, id, principal, { action });
    if (expect) {
      const isSeen = resource.fields && namesViews(expect);
      const seen = isSeen ? await shown(unlocked, resource, row, principal) : undefined;
      checkExpectation(expect, resource.valueIn(row, 'version') as number, seen?.viewTag);
    }
    const own = runtime.tenancy ? await withinTenant(runtime, change, resource, call, row) : change;
    return { ...own, row, current: resource.codec.toValues(row) };
  };
}
