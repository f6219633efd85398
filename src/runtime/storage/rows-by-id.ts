import type { ResourceDescriptor } from '../../descriptor/resource.ts';
import type { Condition, Reader, Row, StoredValue } from './store.ts';

const BATCH = 500;

/** All rows of a resource that meet the conditions, in batches ordered by id, so that no row is read twice. */
export async function* rowsById(
  reader: Pick<Reader, 'list'>,
  { key, properties }: ResourceDescriptor,
  conditions: readonly Condition[] = [],
): AsyncGenerator<readonly Row[], undefined> {
  const id = properties.findIndex(({ name }) => name === 'id');
  const order = [{ property: 'id', direction: 'asc' }] as const;
  for (let last: StoredValue | undefined; ; ) {
    const after = last === undefined ? {} : { after: [last] };
    const rows = await reader.list({ resource: key, conditions, order, limit: BATCH, ...after });
    if (rows.length > 0) yield rows;
    if (rows.length < BATCH) return undefined;
    last = rows.at(-1)![id]!;
  }
}
