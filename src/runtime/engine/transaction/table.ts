import { ApiError } from '../../errors/api-error.ts';
import type { Condition, Row } from '../../storage/store.ts';
import { type Sight, seen, WHOLE } from '../access/sight.ts';
import type { ResourceTypes } from '../interface/resource-types.ts';
import type { ListOptions, Table } from '../interface/tables.ts';
import { comparisonsOf } from '../lists/filter-comparisons.ts';
import { codeConditions, unknownName } from '../lists/filter-conditions.ts';
import { judge } from '../resource/judged.ts';
import { normalized } from '../resource/normalize.ts';
import type { Resource } from '../resource/resource.ts';
import type { Values } from '../resource/row-codec.ts';
import { checkInitialStates, checkTransitions } from '../resource/transitions.ts';
import { deleteRow } from './row-deleter.ts';
import { insertRow } from './row-inserter.ts';
import { updateRow } from './row-writer.ts';
import { rowsInOrder, type SeenKey } from './rows-in-order.ts';
import { type TotalsOptions, totalsIn } from './totals.ts';
import type { UnitOfWork } from './unit-of-work.ts';

/** More rows than a list takes would fill the memory. */
const MAX_LISTED = 10_000;

/** A table of any contract. */
export type AnyTable = Omit<Table<ResourceTypes>, 'totals'> & {
  totals(where?: object, options?: TotalsOptions): Promise<readonly Values[]>;
};
type AnyListOptions = ListOptions<ResourceTypes>;

/** What code reads of a resource inside one transaction. */
export function readsIn(
  unit: UnitOfWork,
  resource: Resource,
  sight: Sight,
): Omit<AnyTable, 'create' | 'update' | 'delete'> {
  const { transaction, onLock } = unit;
  const { key } = resource.descriptor;
  const valuesOf = (rows: readonly Row[]) => sight.valuesOf(transaction.unlocked, resource, rows);
  async function* each(where?: object, options?: AnyListOptions): AsyncGenerator<readonly Values[], undefined> {
    onLock?.(resource);
    const conditions = conditionsOf(resource, sight, where, options?.filter);
    const order = orderOf(resource, sight, options?.sort);
    for await (const rows of rowsInOrder({ reader: transaction, resource, sight }, conditions, order, options?.limit))
      yield await valuesOf(rows);
  }
  return {
    async get(id) {
      onLock?.(resource);
      const found = await transaction.get(key, resource.idOf(id), sight.rowsOf(resource));
      return found && (await valuesOf([found]))[0];
    },
    async list(where, options) {
      const found: Values[] = [];
      const limit = Math.min(options?.limit ?? MAX_LISTED + 1, MAX_LISTED + 1);
      for await (const some of each(where, { ...options, limit })) found.push(...some);
      if (found.length > MAX_LISTED) throw tooManyRows(resource, sight);
      return found;
    },
    async *each(where, options) {
      for await (const some of each(where, options)) yield* some;
    },
    async count(where, options) {
      return transaction.count(key, conditionsOf(resource, sight, where, options?.filter));
    },
    totals(where, options = {}) {
      const conditions = conditionsOf(resource, sight, where, options.filter);
      return totalsIn({ reader: transaction, resource, sight }, conditions, options);
    },
  };
}

/** The table of a resource inside one transaction, for code. */
export function tableIn(unit: UnitOfWork, resource: Resource): AnyTable {
  const { transaction, onLock } = unit;
  const { codec, descriptor } = resource;
  const table: AnyTable = {
    ...readsIn(unit, resource, WHOLE),
    async create(values) {
      checkInitialStates(resource.machines, values as Values);
      const checks = { judge: (made: Row) => judge(resource, made, table.create) };
      return codec.toValues(await insertRow(unit, resource, values as Values, checks));
    },
    async update(id, values) {
      const called = {};
      Error.captureStackTrace(called, table.update);
      onLock?.(resource);
      const current = await transaction.get(descriptor.key, resource.idOf(id));
      if (!current) throw missing(resource);
      const before = codec.toValues(current);
      const next = { ...before, ...normalized(resource, values as Values), id: before['id'] };
      checkTransitions(resource.machines, before, next);
      const checks = { judge: (changed: Row) => judge(resource, changed, called, current) };
      return codec.toValues(await updateRow(unit, resource, current, next, checks));
    },
    async delete(id) {
      onLock?.(resource);
      if (!(await deleteRow(unit, resource, id))) throw missing(resource);
    },
  };
  return table;
}

function conditionsOf(resource: Resource, sight: Sight, where: object = {}, filter: object = {}): readonly Condition[] {
  const asked = Object.entries(where).flatMap(([property, value]) =>
    whereConditions(resource, property, value).map((one) => seen(sight, resource, property, one)),
  );
  return [...sight.rowsOf(resource), ...asked, ...codeConditions(resource, filter as Values, sight)];
}

function whereConditions(resource: Resource, property: string, value: unknown): readonly Condition[] {
  const descriptor = resource.property.get(property);
  if (!descriptor) throw unknownName(resource, property);
  if (value === undefined || value === null) return [{ property, operator: 'eq', value: null }];
  if (descriptor.type !== 'json')
    return comparisonsOf(descriptor, { shape: Array.isArray(value) ? 'in' : 'eq', operators: [] }, value);
  const row = resource.codec.toRow({ [property]: value });
  return [{ property, operator: 'eq', value: resource.valueIn(row, property) }];
}

/** Made total by the id. */
function orderOf(resource: Resource, sight: Sight, sort: readonly string[] = []): readonly SeenKey[] {
  const keys = sort.map((value): SeenKey => {
    const property = value.replace(/^-/, '');
    const type = resource.property.get(property)?.type;
    if (type === undefined) throw unknownName(resource, property);
    if (type === 'json' || type === 'decimal') throw new Error(`${resource.descriptor.name}.${property} has no order.`);
    const direction = value === property ? 'asc' : 'desc';
    return { property, direction, readable: sight.readable(resource, property) };
  });
  if (keys.some(({ property }) => property === 'id')) return keys;
  return [...keys, { property: 'id', direction: 'asc', readable: undefined }];
}

function tooManyRows({ descriptor: { key } }: Resource, { name }: Sight): Error {
  const table = /^\w+$/.test(key) ? `${name}.${key}` : `${name}['${key}']`;
  return new Error(
    `${table}.list() finds more than ${MAX_LISTED} rows. Count them by \`${table}.count(…)\`, read them one by one by \`for await (const row of ${table}.each(…))\`, or list fewer: by a narrower filter, or a \`limit\`.`,
  );
}

export function missing({ descriptor }: Resource): ApiError {
  return new ApiError('NOT_FOUND', { detail: `No ${descriptor.name} has this id.` });
}
