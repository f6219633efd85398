import { type MaybePromise, whenKnown } from '../../async/maybe-promise.ts';
import type { Call } from '../interface/call.ts';
import type { Entity } from '../interface/engine.ts';
import type { Resource } from '../resource/resource.ts';
import type { Values } from '../resource/row-codec.ts';
import { entityOfRow, entityOfValues } from '../resource/row-entity.ts';
import { idNamedBy } from '../resource/row-name.ts';
import { checkParents, find } from '../resource/visibility.ts';
import { type Runtime, readingOnly } from '../transaction/runtime.ts';

/** Throws `NOT_FOUND`. */
export function getAction(runtime: Runtime, resource: Resource): (call: Call) => MaybePromise<Entity> {
  const { store, overrides } = runtime;
  const { key } = resource.descriptor;

  const readRow = ({ params, caller: { principal } }: Call): MaybePromise<Entity> =>
    whenKnown(find(store, resource, params, principal), (row) => entityOfRow(resource, row));

  const read = (call: Call): MaybePromise<Entity> =>
    whenKnown(checkParents(store, resource, call.params, call.caller.principal, 'read'), () => readRow(call));

  const override = overrides[key]?.get;
  if (!override) return read;
  return async (call) => {
    const next = async (): Promise<Values> => (await read(call)).value;
    const context = readingOnly(runtime).context(call);
    const id = await idNamedBy(store, resource, call.params);
    return entityOfValues(resource, (await override(id as never, context, next)) as Values);
  };
}
