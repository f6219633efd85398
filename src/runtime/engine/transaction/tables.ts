import type { Caller } from '../interface/call.ts';
import type { AnyCallerTables, AnyTables } from '../interface/untyped.ts';
import type { Resource } from '../resource/resource.ts';
import type { UnitOfWork } from './unit-of-work.ts';

/** The tables of all resources inside one transaction, each made on access. */
export type TablesIn = (unitOf: () => UnitOfWork) => AnyTables;

/** The same, as their caller may read and write them. */
export type AsCallerIn = (askedOf: () => AskedAs) => AnyCallerTables;

export type AskedAs = { readonly unit: UnitOfWork; readonly caller: Caller };

/**
 * Tables of all resources, each made on access, and `more` that is not listed with them. The accessors are those of a class:
 * each object literal with a getter has a shape of its own, which keeps what the getter closes over until a full collection.
 */
export function tablesBy<U>(
  resources: ReadonlyMap<string, Resource>,
  tableOf: (unit: U, resource: Resource) => unknown,
  more: Readonly<Record<string, (unit: U) => unknown>> = {},
): (unitOf: () => U) => AnyTables {
  class Tables {
    readonly #unitOf: () => U;

    constructor(unitOf: () => U) {
      this.#unitOf = unitOf;
    }

    static define(name: string, of: (unit: U) => unknown, enumerable: boolean): void {
      const get = function (this: Tables) {
        return of(this.#unitOf());
      };
      Object.defineProperty(Tables.prototype, name, { enumerable, get });
    }
  }
  for (const [key, resource] of resources) Tables.define(key, (unit) => tableOf(unit, resource), true);
  for (const [name, of] of Object.entries(more)) Tables.define(name, of, false);
  return (unitOf) => new Tables(unitOf) as object as AnyTables;
}
