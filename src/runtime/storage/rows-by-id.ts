import { setImmediate as turn } from 'node:timers/promises';
import type { ResourceDescriptor } from '../../descriptor/resource.ts';
import type { Condition, OrderKey, Reader, Row, StoredValue } from './store.ts';

const BATCH = 500;
const BY_ID: readonly OrderKey[] = [{ property: 'id', direction: 'asc' }];

/** The order of a primary key. */
export const inOrderOf = (key: readonly string[]): readonly OrderKey[] =>
  key.map((property) => ({ property, direction: 'asc' }));

/**
 * The rows of a resource that meet the conditions, in batches in a total order, so that no row is read twice. Between two
 * batches, others have their turn.
 */
export async function* rowsById(
  reader: Pick<Reader, 'list'>,
  { key, properties }: ResourceDescriptor,
  conditions: readonly Condition[] = [],
  order = BY_ID,
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<readonly Row[], undefined> {
  const positions = order.map(({ property }) => {
    const at = properties.findIndex(({ name }) => name === property);
    // A column that names the tenant stands behind the properties.
    return at < 0 ? properties.length : at;
  });
  let last: readonly StoredValue[] | undefined;
  for (let left = limit; left > 0; left -= BATCH) {
    const size = Math.min(BATCH, left);
    const rows = await reader.list({ resource: key, conditions, order, limit: size, ...(last && { after: last }) });
    if (rows.length > 0) yield rows;
    if (rows.length < size) return undefined;
    last = positions.map((i) => rows.at(-1)![i]!);
    await turn();
  }
  return undefined;
}
