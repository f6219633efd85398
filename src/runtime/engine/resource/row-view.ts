import type { PropertyDescriptor } from '../../../descriptor/resource.ts';
import type { Row } from '../../storage/store.ts';
import { type Decode, decoders, type Values } from './row-codec.ts';

export type RowView = new (row: Row) => Values;

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
        const get = decode ? decoded(i, decode) : plain(i);
        Object.defineProperty(View.prototype, name, { get, enumerable: true });
      });

      function plain(i: number) {
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
