import type { WriteCall } from '../call.ts';
import type { Entity } from '../engine.ts';
import { entityOfRow, entityOfValues } from '../entity.ts';
import { normalized } from '../normalize.ts';
import { owned } from '../ownership.ts';
import type { Resource } from '../resource.ts';
import type { Values } from '../row-codec.ts';
import { insertRow } from '../row-writer.ts';
import { type Change, inTransaction, type Runtime } from '../runtime.ts';
import { checkInitialStates } from '../transitions.ts';
import { validated } from '../validated.ts';
import { checkParents } from '../visibility.ts';

/** Throws `VALIDATION_FAILED`, `NOT_FOUND` for a missing parent, and what `insertRow` throws. */
export function createAction(runtime: Runtime, resource: Resource): (call: WriteCall) => Promise<Entity> {
  const { parent, key } = resource.descriptor;

  const insert = async ({ transaction, now }: Change, call: WriteCall, input: Values): Promise<Entity> => {
    const { params, caller } = call;
    const values = { ...input, ...(parent && { [parent.property]: params[parent.parameter] }) };
    const row = { ...initialStates(resource), ...defined(owned(resource, values, caller.principal)) };
    checkInitialStates(resource.machines, row);
    return entityOfRow(resource, await insertRow(transaction, resource, row, { id: runtime.newId(), now }));
  };

  const override = runtime.overrides[key]?.create;
  return (call) => {
    const input = validated<Values>(resource.validateInput, call.input);
    return inTransaction(runtime, async (change) => {
      if (parent) await checkParents(change.transaction, resource, call.params, call.caller.principal, 'change');
      if (!override) return insert(change, call, input);
      const next = async (made: Values): Promise<Values> => (await insert(change, call, made)).value;
      return entityOfValues(
        resource,
        (await override(normalized(resource, input) as never, change.context(call), next)) as Values,
      );
    });
  };
}

function initialStates({ machines }: Resource): Values {
  return Object.fromEntries(machines.map(({ name, initial }) => [name, initial]));
}

function defined(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
