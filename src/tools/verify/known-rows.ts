import type { ResourceDescriptor } from '../../descriptor/resource.ts';
import type { Caller } from '../proof/callers.ts';
import type { Random } from '../synthetic/random.ts';

export type Values = Readonly<Record<string, unknown>>;

/** A row that the run has created, as its creator last saw it. */
export interface KnownRow {
  readonly resource: ResourceDescriptor;
  readonly id: string;
  readonly caller: Caller;
  /** Path parameters of its ancestors and its own. */
  readonly params: Readonly<Record<string, string>>;
  values: Values;
}

/** The rows that a run has created. */
export class KnownRows {
  readonly #rows: KnownRow[] = [];

  of({ key }: ResourceDescriptor): readonly KnownRow[] {
    return this.#rows.filter(({ resource }) => resource.key === key);
  }

  get all(): readonly KnownRow[] {
    return this.#rows;
  }

  add(row: KnownRow): void {
    this.#rows.push(row);
  }

  /** Removes a row and its descendants. */
  remove(row: KnownRow): void {
    const isRemoved = ({ params }: KnownRow): boolean =>
      Object.entries(row.params).every(([name, id]) => params[name] === id);
    for (let i = this.#rows.length - 1; i >= 0; i -= 1) if (isRemoved(this.#rows[i]!)) this.#rows.splice(i, 1);
  }

  /** The rows that new inputs can refer to. */
  referable(random: Random): { anyId(resource: string): string | undefined } {
    return {
      anyId: (key) => {
        const ids = this.#rows.filter(({ resource }) => resource.key === key);
        return ids.length === 0 ? undefined : random.pick(ids).id;
      },
    };
  }
}
