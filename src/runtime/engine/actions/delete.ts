import type { Id } from '../../../descriptor/resource.ts';
import type { DeleteCall } from '../interface/call.ts';
import type { Resource } from '../resource/resource.ts';
import { deleteRow } from '../transaction/row-deleter.ts';
import type { Runtime } from '../transaction/runtime.ts';
import { rowChanger } from './change.ts';

/** Resolves to the id. Throws `NOT_FOUND`, `PRECONDITION_FAILED`, `STILL_REFERENCED`. */
export function deleteAction(runtime: Runtime, resource: Resource): (call: DeleteCall) => Promise<Id> {
  const change = rowChanger(runtime, resource, 'delete');
  const override = runtime.overrides[resource.descriptor.key]?.delete;
  return (call) =>
    change(call, async (target) => {
      const id = resource.valueIn(target.row, 'id') as Id;
      const next = async (): Promise<void> => {
        await deleteRow(target, resource, id, target.row);
      };
      if (override) await override(id as never, target.context(call, target.current), next);
      else await next();
      return id;
    });
}
