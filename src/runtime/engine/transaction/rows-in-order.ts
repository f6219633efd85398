import { isDeepStrictEqual } from 'node:util';
import { rowsById } from '../../storage/rows-by-id.ts';
import type { Comparison, Condition, OrderKey, Reader, Row } from '../../storage/store.ts';
import { negation, type Sight, seen } from '../access/sight.ts';
import type { Resource } from '../resource/resource.ts';

/** A key of an order, and the rows on which its property is readable; undefined for all. */
export interface SeenKey extends OrderKey {
  readonly readable: Condition | undefined;
}

interface Rows {
  readonly reader: Pick<Reader, 'list'>;
  readonly resource: Resource;
  readonly sight: Sight;
}

/**
 * Rows in batches, in an order whose properties have no value on the rows where they are hidden. The first such property
 * splits the rows: by each value of the keys before it, then by whether it has a value.
 */
export async function* rowsInOrder(
  rows: Rows,
  conditions: readonly Condition[],
  order: readonly SeenKey[],
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<readonly Row[], undefined> {
  const { reader, resource, sight } = rows;
  const at = order.findIndex(({ readable }) => readable);
  const [first, ...others] = at < 0 ? [] : order.slice(at);
  if (!first) return yield* rowsById(reader, resource.descriptor, conditions, order, limit);
  const parts = at > 0 ? partsByValue(rows, conditions, order, at) : partsByKey(sight, resource, first, others);
  let left = limit;
  for await (const part of parts) {
    for await (const some of rowsInOrder(rows, [...conditions, ...part.conditions], part.order, left)) {
      yield some;
      left -= some.length;
    }
    if (left <= 0) return undefined;
  }
  return undefined;
}

interface Part {
  readonly conditions: readonly Condition[];
  readonly order: readonly SeenKey[];
}

async function* partsByValue(
  { reader, resource }: Rows,
  conditions: readonly Condition[],
  order: readonly SeenKey[],
  at: number,
): AsyncGenerator<Part, undefined> {
  const { key } = resource.descriptor;
  const leading = order.slice(0, at);
  let [row] = await reader.list({ resource: key, conditions, order: leading, limit: 1 });
  while (row) {
    const last = row;
    const equal = leading.map(({ property }): Comparison => {
      return { property, operator: 'eq', value: resource.valueIn(last, property) };
    });
    yield { conditions: equal, order: order.slice(at) };
    const after = leading.map(({ property }) => resource.valueIn(last, property));
    [row] = await reader.list({ resource: key, conditions, order: leading, after, limit: 1 });
  }
  return undefined;
}

/** NULL sorts below every value. */
function partsByKey(sight: Sight, resource: Resource, first: SeenKey, others: readonly SeenKey[]): readonly Part[] {
  const { property, direction, readable } = first;
  const absent = seen(sight, resource, property, { property, operator: 'eq', value: null });
  const isKnown = (one: SeenKey) => isDeepStrictEqual(one.readable, readable);
  const known = [first, ...others].map((one) => (isKnown(one) ? { ...one, readable: undefined } : one));
  const parts = [
    { conditions: [absent], order: others },
    { conditions: [negation(absent)], order: known },
  ];
  return direction === 'asc' ? parts : parts.toReversed();
}
