import type { Id } from '../../../descriptor/resource.ts';
import type { Principal } from '../../auth/principal.ts';
import type { Columns, Reader, Row } from '../../storage/store.ts';
import type { Resource } from '../resource/resource.ts';

interface Finding {
  /** What of the filter says which rows the caller sees. */
  readonly by?: 'own' | 'ruled';
  /** What is read of the rows; all if left out. */
  readonly columns?: Columns | undefined;
}

const NOTHING: ReadonlySet<string> = new Set();

/** The rows with these ids that the caller sees, with their ancestors, by id. Takes a statement for each level. */
export async function findEach(
  reader: Reader,
  resource: Resource,
  ids: readonly Id[],
  principal: Principal | undefined,
  { by = 'own', columns }: Finding = {},
): Promise<ReadonlyMap<Id, Row>> {
  const rows = await reader.getEach(resource.descriptor.key, ids, resource.filter[by](principal), columns);
  const byId = new Map(rows.map((row) => [resource.valueIn(row, 'id') as Id, row]));
  if (!resource.parent) return byId;
  const above = { by, columns: resource.parent.columnsOf(NOTHING) };
  const parents = await findEach(
    reader,
    resource.parent,
    [...new Set(rows.map(resource.parentIdIn))],
    principal,
    above,
  );
  for (const [id, row] of byId) if (!parents.has(resource.parentIdIn(row))) byId.delete(id);
  return byId;
}
