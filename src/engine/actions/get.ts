import type { Call } from '../call.ts';
import type { Entity } from '../engine.ts';
import { entityOfRow, entityOfValues } from '../entity.ts';
import type { Resource } from '../resource.ts';
import type { Values } from '../row-codec.ts';
import { type Runtime, readingOnly } from '../runtime.ts';
import { checkParents, find } from '../visibility.ts';

/** Throws `NOT_FOUND`. */
export function getAction(runtime: Runtime, resource: Resource): (call: Call) => Promise<Entity> {
  const { store, overrides } = runtime;
  const { idParameter, key } = resource.descriptor;

  const read = async ({ params, caller: { principal } }: Call): Promise<Entity> => {
    if (resource.parent) await checkParents(store, resource, params, principal, 'read');
    const row = find(store, resource, params[idParameter]!, params, principal);
    return entityOfRow(resource, row instanceof Promise ? await row : row);
  };

  const override = overrides[key]?.get;
  if (!override) return read;
  return async (call) => {
    const next = async (): Promise<Values> => (await read(call)).value;
    const context = readingOnly(runtime).context(call);
    return entityOfValues(resource, (await override(call.params[idParameter] as never, context, next)) as Values);
  };
}
