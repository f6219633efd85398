import type { Id } from '../../../descriptor/resource.ts';
import { ApiError } from '../../errors/api-error.ts';
import { rowsById } from '../../storage/rows-by-id.ts';
import type { Condition, OrderKey, Reader, Row } from '../../storage/store.ts';
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
import type { UnitOfWork } from './unit-of-work.ts';

/** More rows than a list takes would fill the memory. */
const MAX_LISTED = 10_000;

type AnyTable = Table<ResourceTypes>;
type AnyListOptions = ListOptions<ResourceTypes>;

/** The table of a resource inside one transaction, for code. */
export function tableIn(unit: UnitOfWork, resource: Resource): AnyTable {
  const { transaction, onLock } = unit;
  const { codec, descriptor } = resource;
  const row = (id: Id) => {
    onLock?.(resource);
    return transaction.get(descriptor.key, resource.idOf(id));
  };
  const table: AnyTable = {
    async get(id) {
      const found = await row(id);
      return found && codec.toValues(found);
    },
    async list(where, options) {
      onLock?.(resource);
      const found: Row[] = [];
      const limit = Math.min(options?.limit ?? MAX_LISTED + 1, MAX_LISTED + 1);
      for await (const rows of rowsWhere(transaction, resource, where, { ...options, limit })) found.push(...rows);
      if (found.length > MAX_LISTED) throw tooManyRows(resource);
      return found.map((one) => codec.toValues(one));
    },
    async *each(where, options) {
      onLock?.(resource);
      for await (const rows of rowsWhere(transaction, resource, where, options))
        for (const one of rows) yield codec.toValues(one);
    },
    async count(where, options) {
      return transaction.count(descriptor.key, conditionsOf(resource, where, options?.filter));
    },
    async create(values) {
      checkInitialStates(resource.machines, values as Values);
      const checks = { judge: (made: Row) => judge(resource, made, table.create) };
      return codec.toValues(await insertRow(unit, resource, values as Values, checks));
    },
    async update(id, values) {
      const called = {};
      Error.captureStackTrace(called, table.update);
      const current = await row(id);
      if (!current) throw missing(resource);
      const before = codec.toValues(current);
      const next = { ...before, ...normalized(resource, values as Values) };
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

const rowsWhere = (reader: Reader, resource: Resource, where: object = {}, options: AnyListOptions = {}) =>
  rowsById(
    reader,
    resource.descriptor,
    conditionsOf(resource, where, options.filter),
    orderOf(resource, options.sort),
    options.limit,
  );

function conditionsOf(resource: Resource, where: object = {}, filter: object = {}): readonly Condition[] {
  return [
    ...Object.entries(where).flatMap(([property, value]) => whereConditions(resource, property, value)),
    ...codeConditions(resource, filter as Values),
  ];
}

function whereConditions(resource: Resource, property: string, value: unknown): readonly Condition[] {
  const type = resource.property.get(property)?.type;
  if (type === undefined) throw unknownName(resource, property);
  if (value === undefined || value === null) return [{ property, operator: 'eq', value: null }];
  if (type !== 'json')
    return comparisonsOf(resource, { property, shape: Array.isArray(value) ? 'in' : 'eq', operators: [] }, value);
  const row = resource.codec.toRow({ [property]: value });
  return [{ property, operator: 'eq', value: resource.valueIn(row, property) }];
}

/** Made total by the id. */
function orderOf(resource: Resource, sort: readonly string[] = []): readonly OrderKey[] {
  const keys = sort.map((value): OrderKey => {
    const property = value.replace(/^-/, '');
    const type = resource.property.get(property)?.type;
    if (type === undefined) throw unknownName(resource, property);
    if (type === 'json' || type === 'decimal') throw new Error(`${resource.descriptor.name}.${property} has no order.`);
    return { property, direction: value === property ? 'asc' : 'desc' };
  });
  return keys.some(({ property }) => property === 'id') ? keys : [...keys, { property: 'id', direction: 'asc' }];
}

function tooManyRows({ descriptor: { key } }: Resource): Error {
  const table = /^\w+$/.test(key) ? `store.${key}` : `store['${key}']`;
  return new Error(
    `${table}.list() finds more than ${MAX_LISTED} rows. Count them by \`${table}.count(…)\`, read them one by one by \`for await (const row of ${table}.each(…))\`, or list fewer: by a narrower filter, or a \`limit\`.`,
  );
}

function missing({ descriptor }: Resource): ApiError {
  return new ApiError('NOT_FOUND', { detail: `No ${descriptor.name} has this id.` });
}
