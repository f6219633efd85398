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
import { type Change, inTransaction } from '../transaction/in-transaction.ts';
import { isUnruled, unlocked } from '../transaction/isolation.ts';
import { isolationOf, type Runtime } from '../transaction/runtime.ts';

/** A row about to change: visible to the caller, who may change it, and at an expected version. */
export interface Target extends Change {
  readonly row: Row;
  readonly current: Values;
}

/**
 * Finds and checks an existing row, then changes it, in one transaction; where nothing but the row itself decides, without
 * one, at the version that was read. Throws `NOT_FOUND`, `FORBIDDEN`, `PRECONDITION_FAILED`.
 */
export function rowChanger(runtime: Runtime, resource: Resource, action: Action) {
  const ruled = action === 'delete' ? 'delete' : 'update';
  const isolation = isolationOf(runtime, resource, action);
  const isAlone = runtime.store.hasRowLocks && action !== 'delete' && isolation === 'locking' && isUnruled(resource);
  // Where callers read no other rows than their own, `find` finds no other.
  const findsOthers = resource.descriptor.owner?.reads === 'anyone';
  return <T>(call: WriteCall | DeleteCall, work: (target: Target) => Promise<T>): Promise<T> => {
    const { expect } = call;
    const { principal } = call.caller;
    const changing = async (begun: Change) => {
      const { transaction } = begun;
      let [params, change] = [call.params, begun];
      if (resource.parent) {
        params = await withAncestorIds(transaction.unlocked, resource, params, principal);
        await checkParents(transaction.unlocked, resource, params, principal, ruled);
        change = await begun.withParents(resource, action, params);
      }
      const row = await find(begun.isAlone ? transaction.unlocked : transaction, resource, params, principal);
      if (findsOthers) checkOwned(resource, row, principal);
      const id = resource.valueIn(row, 'id') as Id;
      if (resource.access) await checkAllowed(transaction.unlocked, resource, id, principal, { action: ruled });
      if (expect) {
        const isSeen = resource.fields && namesViews(expect);
        const seen = isSeen ? await shown(transaction.unlocked, resource, row, principal) : undefined;
        checkExpectation(expect, resource.valueIn(row, 'version') as number, seen?.viewTag);
      }
      if (runtime.tenancy) change = await withinTenant(runtime, change, resource, { ...call, params }, row);
      return work({ ...change, row, current: resource.codec.toValues(row) });
    };
    const locked = () => inTransaction(runtime, call.caller, isolation, changing);
    return isAlone ? unlocked(() => inTransaction(runtime, call.caller, 'single', changing), locked) : locked();
  };
}
