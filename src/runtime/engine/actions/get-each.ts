import { type Id, namingProperty } from '../../../descriptor/resource.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { shownAll } from '../access/fields.ts';
import { findEach } from '../access/find-each.ts';
import { ancestorsOf } from '../access/parents.ts';
import type { EachCall } from '../interface/call.ts';
import type { Entity } from '../interface/engine.ts';
import type { Resource } from '../resource/resource.ts';
import { RowEntity } from '../resource/row-codec.ts';
import { readerFor } from '../transaction/reading.ts';
import type { Runtime } from '../transaction/runtime.ts';
import { getAction } from './get.ts';
import { settled } from './settled.ts';

/**
 * The resource with each id, or `NOT_FOUND`. Takes one statement, and one for each level of ancestors, unless `get` is
 * overridden.
 */
export function getEachAction(
  runtime: Runtime,
  resource: Resource,
): (call: EachCall) => Promise<readonly (Entity | ApiError)[]> {
  const { overrides } = runtime;
  const { key } = resource.descriptor;
  const naming = namingProperty(resource.descriptor);

  const isOverridden = overrides[key]?.get !== undefined;
  const get = getAction(runtime, resource);
  return async ({ caller, ids, asked }) => {
    const store = await readerFor(runtime, caller);
    const columns = isOverridden ? undefined : resource.columnsOf(asked);
    const rows = await findEach(store, resource, ids, caller.principal, { columns });
    const found = [...rows.values()];
    const entities = resource.fields && (await shownAll(store, resource, found, caller.principal));
    const shown = entities && new Map(found.map((row, at) => [row, entities[at]!]));
    return settled(ids, async (id) => {
      const row = rows.get(id);
      if (!row) throw resource.notFound;
      if (!isOverridden) return shown?.get(row) ?? new RowEntity(resource, row);
      const named = { [resource.descriptor.idParameter]: resource.valueIn(row, naming) as Id };
      return get({ caller, params: { ...(await ancestorsOf(store, resource, row)), ...named } });
    });
  };
}
