import type { PropertyDescriptor } from '../../../descriptor/resource.ts';
import { MAY_CHANGE, parseStored } from '../../../descriptor/written-number.ts';
import type { Row, StoredValue } from '../../storage/store.ts';

export type Decode = (stored: StoredValue) => unknown;

/** Decoders of stored values, by type. Types without one are stored as they are. */
export const decoders: Partial<Record<PropertyDescriptor['type'], Decode>> = {
  boolean: (stored) => Boolean(stored),
  json: (stored) => (MAY_CHANGE.test(stored as string) ? parseStored(stored as string) : JSON.parse(stored as string)),
};

export type RowView = new (row: Row) => Readonly<Record<string, unknown>>;

/** A class whose instances decode a row by property, on access: reading two properties of twenty decodes two. */
export function createRowView(properties: readonly PropertyDescriptor[]): RowView {
  class View {
    readonly #row: Row;

    constructor(row: Row) {
      this.#row = row;
    }

    static {
      properties.forEach(({ name, type }, i) => {
        const decode = decoders[type];
        const get = decode ? decoded(i, decode) : asStored(i);
        Object.defineProperty(View.prototype, name, { get, enumerable: true });
      });

      function asStored(i: number) {
        return function (this: View) {
          return this.#row[i];
        };
      }

      function decoded(i: number, decode: Decode) {
        return function (this: View) {
          const stored = this.#row[i]!;
          return stored === null ? null : decode(stored);
        };
      }
    }
  }
  return View as unknown as RowView;
}
