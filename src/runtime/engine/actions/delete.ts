import type { Id } from '../../../descriptor/resource.ts';
import type { DeleteCall } from '../interface/call.ts';
import type { Resource } from '../resource/resource.ts';
import { type Change, committing } from '../transaction/in-transaction.ts';
import { deleteRow } from '../transaction/row-deleter.ts';
import type { Runtime } from '../transaction/runtime.ts';
import { rowChanger } from './change.ts';

/** Resolves to the id. Throws `NOT_FOUND`, `PRECONDITION_FAILED`, `STILL_REFERENCED`. */
export function deleteAction(runtime: Runtime, resource: Resource): (call: DeleteCall) => Promise<Id> {
  return committing(runtime, resource, 'delete', deleter(runtime, resource));
}

function deleter(runtime: Runtime, resource: Resource): (change: Change, call: DeleteCall) => Promise<Id> {
  const override = runtime.overrides[resource.descriptor.key]?.delete;
  return rowChanger(runtime, resource, 'delete', async (target, call) => {
    const id = resource.valueIn(target.row, 'id') as Id;
    const next = async (): Promise<void> => {
      await deleteRow(target, resource, id, target.row);
    };
    if (override) await override(id as never, target.context(call, target.current), next);
    else await next();
    return id;
  });
}
