import type { ResourceDescriptor } from '../../descriptor/resource.ts';
import type { Caller } from '../proof/callers.ts';
import type { Random } from '../synthetic/random.ts';

export type Values = Readonly<Record<string, unknown>>;

/** A row that the run has made: as its maker saw it last. */
export interface Known {
  readonly resource: ResourceDescriptor;
  readonly id: string;
  readonly caller: Caller;
  /** Path parameters: those of its ancestors, and its own. */
  readonly params: Readonly<Record<string, string>>;
  values: Values;
}

/** What a run knows of a server: the rows it has made itself. */
export class World {
  readonly #rows: Known[] = [];

  of({ key }: ResourceDescriptor): readonly Known[] {
    return this.#rows.filter(({ resource }) => resource.key === key);
  }

  get all(): readonly Known[] {
    return this.#rows;
  }

  add(row: Known): void {
    this.#rows.push(row);
  }

  /** Takes a row away, and those below it. */
  remove(row: Known): void {
    const isGone = ({ params }: Known): boolean =>
      Object.entries(row.params).every(([name, id]) => params[name] === id);
    for (let i = this.#rows.length - 1; i >= 0; i -= 1) if (isGone(this.#rows[i]!)) this.#rows.splice(i, 1);
  }

  /** Rows to refer to, as inputs are made from. */
  referable(random: Random): { anyId(resource: string): string | undefined } {
    return {
      anyId: (key) => {
        const ids = this.#rows.filter(({ resource }) => resource.key === key);
        return ids.length === 0 ? undefined : random.pick(ids).id;
      },
    };
  }
}
