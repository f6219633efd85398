import type { ResourceDescriptor } from '../../descriptor/resource.ts';
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
    for (const { key, properties } of this.#resources) {
      const writes = this.#store.writes(key);
      if (writes === this.#writes.get(key)) continue;
      const rows = await this.#store.list({ resource: key, conditions: [], order: ORDER, limit: MAX_ROWS });
      const id = properties.findIndex(({ name }) => name === 'id');
      this.#dump = { ...this.#dump, [key]: inOneOrder(rows, id) };
      this.#writes.set(key, writes);
    }
    return this.#dump;
  }
}

/** Nothing says in which order rows with the same id come, as a view may have them. */
function inOneOrder(rows: readonly Row[], id: number): readonly Row[] {
  const places = new Map<Row[number] | undefined, number>();
  for (const row of rows) if (!places.has(row[id])) places.set(row[id], places.size);
  if (places.size === rows.length) return rows;
  const placeOf = (row: Row): number => places.get(row[id]) ?? 0;
  return rows.toSorted(
    (one, other) => placeOf(one) - placeOf(other) || (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1),
  );
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
