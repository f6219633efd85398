import type { ResourceDescriptor } from '../../descriptor/resource.ts';
import type { Row, Store } from '../../runtime/storage/store.ts';

/** Every row of a store by resource key, ordered by id. */
export type Dump = Readonly<Record<string, readonly Row[]>>;

/** More than the number of rows that a proof makes. */
const MAX_ROWS = 1_000_000;

export async function dumpOf(store: Store, resources: readonly ResourceDescriptor[]): Promise<Dump> {
  const dump: Record<string, readonly Row[]> = {};
  for (const { key } of resources) {
    const order = [{ property: 'id', direction: 'asc' }] as const;
    dump[key] = await store.list({ resource: key, conditions: [], order, limit: MAX_ROWS });
  }
  return dump;
}

/** A stored row by property, each value as it is in JSON; of an object or an array, its JSON text. */
export function recordOf({ properties }: ResourceDescriptor, row: Row): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    properties.map(({ name, type }, i) => {
      const stored = row[i];
      return [name, type === 'boolean' && typeof stored === 'number' ? stored === 1 : stored];
    }),
  );
}
