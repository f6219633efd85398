import type { WriteCall } from '../interface/call.ts';
import type { Entity } from '../interface/engine.ts';
import { normalized } from '../resource/normalize.ts';
import { withOwner } from '../resource/ownership.ts';
import type { Resource } from '../resource/resource.ts';
import type { Values } from '../resource/row-codec.ts';
import { entityOfRow, entityOfValues, type RowEntity } from '../resource/row-entity.ts';
import { checkInitialStates } from '../resource/transitions.ts';
import { validated } from '../resource/validated.ts';
import { checkParents } from '../resource/visibility.ts';
import { createOnce } from '../transaction/idempotency.ts';
import { insertRow } from '../transaction/row-writer.ts';
import { type Change, inTransaction, type Runtime } from '../transaction/runtime.ts';

/** Throws `VALIDATION_FAILED`, `NOT_FOUND` for a missing parent, and what `insertRow` and `createOnce` throw. */
export function createAction(runtime: Runtime, resource: Resource): (call: WriteCall) => Promise<Entity> {
  const { parent, key } = resource.descriptor;

  const insert = async (change: Change, call: WriteCall, input: Values): Promise<RowEntity> => {
    const { params, caller } = call;
    const values = { ...input, ...(parent && { [parent.property]: params[parent.parameter] }) };
    const row = { ...initialStates(resource), ...defined(withOwner(resource, values, caller.principal)) };
    checkInitialStates(resource.machines, row);
    return entityOfRow(resource, await insertRow(change, resource, row));
  };

  const override = runtime.overrides[key]?.create;
  const create = async (change: Change, call: WriteCall, input: Values): Promise<RowEntity> => {
    if (parent) await checkParents(change.transaction.unlocked, resource, call.params, call.caller.principal, 'change');
    if (!override) return insert(change, call, input);
    const next = async (values: Values): Promise<Values> => (await insert(change, call, values)).value;
    const created = await override(normalized(resource, input) as never, change.context(call), next);
    return entityOfValues(resource, created as Values);
  };

  return async (call) => {
    const input = validated<Values>(resource.validateInput, call.input);
    const work = (change: Change): Promise<RowEntity> => create(change, call, input);
    return call.idempotencyKey === undefined
      ? inTransaction(runtime, override ? 'serial' : 'single', work)
      : createOnce(runtime, resource, { ...call, input }, work);
  };
}

function initialStates({ machines }: Resource): Values {
  return Object.fromEntries(machines.map(({ name, initial }) => [name, initial]));
}

function defined(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
