import { type Id, idProperty, type OnDelete, type ResourceDescriptor } from '../../descriptor/resource.ts';
import type { Random } from '../../tools/random.ts';
import type { Caller } from '../harness/callers.ts';

export type Values = Readonly<Record<string, unknown>>;

/** A row that the run has created, as its creator last saw it. */
export interface KnownRow {
  readonly resource: ResourceDescriptor;
  /** As paths and GraphQL have it. */
  readonly id: string;
  readonly caller: Caller;
  /** Path parameters of its ancestors and its own. */
  readonly params: Readonly<Record<string, string>>;
  /** Undefined after a deletion elsewhere may have changed them. */
  values: Values | undefined;
}

/** Whether a row is a descendant of another by its path. */
const isBelow = ({ params }: KnownRow, { params: above }: KnownRow): boolean =>
  Object.entries(above).every(([name, id]) => params[name] === id);

/** What becomes of a row when another that it refers to is deleted; `cascade` where any of its references says so. */
function onDeleteOf({ resource, values }: KnownRow, target: KnownRow): OnDelete | undefined {
  const all = resource.properties.flatMap(({ name, references }) => {
    if (references?.resource !== target.resource.key) return [];
    // Unknown values may refer to anything.
    return values === undefined || String(values[name]) === target.id ? [references.onDelete] : [];
  });
  return all.includes('cascade') ? 'cascade' : all[0];
}

/** The id of a row as JSON has it. */
const idOf = ({ resource, id }: KnownRow): Id => (idProperty(resource).type === 'integer' ? Number(id) : id);

/** The rows that a run has created. */
export class KnownRows {
  readonly #rows: KnownRow[] = [];

  of({ key }: ResourceDescriptor): readonly KnownRow[] {
    return this.#rows.filter(({ resource }) => resource.key === key);
  }

  /** The one with this value of a property, as either protocol writes it. */
  with(resource: ResourceDescriptor, name: string, value: unknown): KnownRow | undefined {
    return this.of(resource).find(({ values }) => String(values?.[name]) === String(value));
  }

  get all(): readonly KnownRow[] {
    return this.#rows;
  }

  add(row: KnownRow): void {
    this.#rows.push(row);
  }

  /**
   * Removes a row with all that goes with it: its descendants, and what refers to one of them with
   * `x-on-delete: cascade`. Where the reference is cleared instead, the row's values are no longer known.
   */
  remove(row: KnownRow): void {
    const gone = [row];
    for (const one of gone) {
      for (const other of this.#rows) {
        if (gone.includes(other)) continue;
        const onDelete = isBelow(other, one) ? 'cascade' : onDeleteOf(other, one);
        if (onDelete === 'cascade') gone.push(other);
        if (onDelete === 'set-null') other.values = undefined;
      }
    }
    for (let i = this.#rows.length - 1; i >= 0; i -= 1) if (gone.includes(this.#rows[i]!)) this.#rows.splice(i, 1);
  }

  /** The rows that new inputs can refer to. */
  referable(random: Random): { anyId(resource: string): Id | undefined } {
    return {
      anyId: (key) => {
        const rows = this.#rows.filter(({ resource }) => resource.key === key);
        return rows.length === 0 ? undefined : idOf(random.pick(rows));
      },
    };
  }
}
