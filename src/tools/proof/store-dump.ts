import type { ResourceDescriptor } from '../../descriptor/resource.ts';
import type { Row, Store } from '../../runtime/storage/store.ts';

/** Every row of a store by resource key, in the order of the ids. */
export type Dump = Readonly<Record<string, readonly Row[]>>;

/** More rows than a proof makes. */
const ALL = 1_000_000;

export async function dumpOf(store: Store, resources: readonly ResourceDescriptor[]): Promise<Dump> {
  const dump: Record<string, readonly Row[]> = {};
  for (const { key } of resources) {
    const order = [{ property: 'id', direction: 'asc' }] as const;
    dump[key] = await store.list({ resource: key, conditions: [], order, limit: ALL });
  }
  return dump;
}

/** A stored row by property; texts of ids and enums are as JSON has them. */
export function recordOf({ properties }: ResourceDescriptor, row: Row): Readonly<Record<string, unknown>> {
  return Object.fromEntries(properties.map(({ name }, i) => [name, row[i]]));
}
