import { LRUCache } from 'lru-cache';
import { type MaybePromise, whenKnown } from '../../async/maybe-promise.ts';
import { FEW_ROWS } from './led-rows.ts';
import { bind } from './shapes.ts';
import type { NarrowStatement, ReadStatement, Statement } from './statement.ts';

/** Answers the number that a statement counts; its arguments are those of the read. */
type Count = (probe: Statement) => MaybePromise<unknown>;

const REFRESH_MS = 10_000;
/** Of the texts by which counts are known, in characters. */
const MAX_KNOWN = 2 ** 20;

/** Estimates which reads may take long, by the sizes of tables and by the rows that their indexes lead to. */
export class ReadCost {
  readonly #isSmall: (table: string) => boolean;
  /** Whether few rows have the values that a probe is about. */
  readonly #few = new LRUCache<string, boolean>({
    ...{ ttl: REFRESH_MS, maxSize: MAX_KNOWN, sizeCalculation: (_few, key) => key.length },
  });

  /** `isSmall`: no read of the table takes long. */
  constructor(isSmall: (table: string) => boolean) {
    this.#isSmall = isSmall;
  }

  /** The statement to run where all others wait for it; undefined: it may take long. */
  cheapest(read: ReadStatement, values: readonly unknown[], count: Count): MaybePromise<Statement | undefined> {
    if (read.isBounded || read.tables.every(this.#isSmall)) return read;
    return this.#firstOfFew(values, count, read.narrow);
  }

  #firstOfFew(
    values: readonly unknown[],
    count: Count,
    [first, ...others]: readonly NarrowStatement[] = [],
  ): MaybePromise<Statement | undefined> {
    if (!first) return undefined;
    const key = JSON.stringify([first.probe.sql, bind(first.probe.slots, values)]);
    const known = this.#few.get(key);
    return whenKnown(known ?? count(first.probe), (found) => {
      const isOfFew = known ?? Number(found) <= FEW_ROWS;
      if (known === undefined) this.#few.set(key, isOfFew);
      return isOfFew ? first.statement : this.#firstOfFew(values, count, others);
    });
  }
}
