import type { Id, ResourceDescriptor } from '../../descriptor/resource.ts';
import type { Row } from '../../runtime/storage/index.ts';
import type { PairedStore } from './paired-store.ts';

/** Every row of a store by resource key, ordered by id. */
export type Dump = Readonly<Record<string, readonly Row[]>>;

/** The rows of a resource, which a dump has if it was made of the same contract. */
export function rowsIn(dump: Dump, key: string): readonly Row[] {
  const rows = dump[key];
  if (!rows) throw new Error(`The dump has no ${key}.`);
  return rows;
}

/** More than the number of rows that a proof makes. */
const MAX_ROWS = 1_000_000;

const ORDER = [{ property: 'id', direction: 'asc' }] as const;

/** The rows of a store, each resource's read again only when they may have changed. */
export class Snapshot {
  readonly #store: PairedStore;
  readonly #resources: readonly ResourceDescriptor[];
  readonly #writes = new Map<string, number>();
  #dump: Dump = {};

  constructor(store: PairedStore, resources: readonly ResourceDescriptor[]) {
    this.#store = store;
    this.#resources = resources;
  }

  /** The rows as they are now; those of a resource are the same object as before unless they may have changed. */
  async rows(): Promise<Dump> {
    for (const resource of this.#resources) {
      const { key } = resource;
      const writes = this.#store.writes(key);
      if (writes === this.#writes.get(key)) continue;
      const rows = await this.#store.list({ resource: key, conditions: [], order: ORDER, limit: MAX_ROWS });
      this.#dump = { ...this.#dump, [key]: inOneOrder(resource, rows) };
      this.#writes.set(key, writes);
    }
    return this.#dump;
  }
}

/** Nothing says in which order rows with the same id come, as a view may have them. */
function inOneOrder(resource: ResourceDescriptor, rows: readonly Row[]): readonly Row[] {
  const sharing = Map.groupBy(rows, (row) => idOf(resource, row));
  if (sharing.size === rows.length) return rows;
  return [...sharing.values()].flatMap((some) =>
    some.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)),
  );
}

export const idOf = ({ properties }: ResourceDescriptor, row: Row): Id =>
  row[properties.findIndex(({ name }) => name === 'id')] as Id;

/** A stored row by property, each value as it is in JSON; of an object or an array, its JSON text. */
export function recordOf({ properties }: ResourceDescriptor, row: Row): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    properties.map(({ name, type }, i) => {
      const stored = row[i];
      return [name, type === 'boolean' && typeof stored === 'number' ? stored === 1 : stored];
    }),
  );
}
