import type { Caller } from '../interface/call.ts';
import type { AnyCallerTables, AnyTables } from '../interface/untyped.ts';
import type { Resource } from '../resource/resource.ts';
import type { UnitOfWork } from './unit-of-work.ts';

/** The tables of all resources inside one transaction, each made on access. */
export type TablesIn = (unit: UnitOfWork) => AnyTables;

/** The same, as their caller may read and write them. */
export type AsCallerIn = (unit: UnitOfWork, caller: Caller) => AnyCallerTables;

const UNIT = Symbol('unit');

interface Made<U> {
  readonly [UNIT]: U;
}

/** Tables of all resources, each made on access, and `more` that is not listed with them. */
export function tablesBy<U>(
  resources: ReadonlyMap<string, Resource>,
  tableOf: (unit: U, resource: Resource) => unknown,
  more: Readonly<Record<string, (unit: U) => unknown>> = {},
): (unit: U) => AnyTables {
  const properties: PropertyDescriptorMap = {};
  const define = (name: string, of: (unit: U) => unknown, enumerable: boolean): void => {
    const get = function (this: Made<U>) {
      return of(this[UNIT]);
    };
    properties[name] = { enumerable, get };
  };
  for (const [key, resource] of resources) define(key, (unit) => tableOf(unit, resource), true);
  for (const [name, of] of Object.entries(more)) define(name, of, false);
  // Whoever prints the tables prints nothing of the unit.
  return (unit) => Object.create(Object.prototype, { ...properties, [UNIT]: { value: unit } });
}
