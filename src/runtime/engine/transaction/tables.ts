import { isFinerThanMs } from '../../../descriptor/formats/date-time.ts';
import type { Id } from '../../../descriptor/resource.ts';
import { ApiError } from '../../errors/api-error.ts';
import { rowsById } from '../../storage/rows-by-id.ts';
import type { Condition, Reader, Row } from '../../storage/store.ts';
import type { ResourceTypes, Table } from '../interface/overrides.ts';
import type { AnyTables } from '../interface/untyped.ts';
import { callOf, judge } from '../resource/judged.ts';
import { normalized } from '../resource/normalize.ts';
import type { Resource } from '../resource/resource.ts';
import type { Values } from '../resource/row-codec.ts';
import { checkInitialStates, checkTransitions } from '../resource/transitions.ts';
import { deleteRow } from './row-deleter.ts';
import { insertRow, updateRow } from './row-writer.ts';
import type { UnitOfWork } from './unit-of-work.ts';

type AnyTable = Table<ResourceTypes>;

/** The tables of all resources inside one transaction, each made on access. */
export function tablesIn(unit: UnitOfWork, resources: ReadonlyMap<string, Resource>): AnyTables {
  const tables = {};
  for (const [key, resource] of resources) {
    Object.defineProperty(tables, key, { enumerable: true, get: () => tableIn(unit, resource) });
  }
  return tables;
}

function tableIn(unit: UnitOfWork, resource: Resource): AnyTable {
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
    async list(where) {
      onLock?.(resource);
      return (await rowsWhere(transaction, resource, where as Values)).map((found) => codec.toValues(found));
    },
    async create(values) {
      checkInitialStates(resource.machines, values as Values);
      const checks = { judge: (made: Row) => judge(resource, made, table.create) };
      return codec.toValues(await insertRow(unit, resource, values as Values, checks));
    },
    async update(id, values) {
      const called = callOf(table.update);
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

async function rowsWhere(reader: Reader, resource: Resource, where: Values): Promise<Row[]> {
  const single = Object.fromEntries(Object.entries(where).filter(([, value]) => !Array.isArray(value)));
  const filter = resource.codec.toRow(normalized(resource, single));
  const conditions = Object.entries(where).map(([property, value]): Condition => {
    if (isFinerTime(resource, property, value)) return { property, operator: 'in', value: [] };
    if (!Array.isArray(value) || resource.property.get(property)?.type === 'json')
      return { property, operator: 'eq', value: filter[resource.index(property)]! };
    const storable = value.filter((one) => !isFinerTime(resource, property, one));
    const stored = storable.map((one) => resource.codec.toRow(normalized(resource, { [property]: one })));
    return { property, operator: 'in', value: stored.map((row) => row[resource.index(property)]!) };
  });
  const rows: Row[] = [];
  for await (const batch of rowsById(reader, resource.descriptor, conditions)) rows.push(...batch);
  return rows;
}

/** Rows have milliseconds: none has a finer time. */
const isFinerTime = (resource: Resource, property: string, value: unknown): boolean =>
  resource.property.get(property)?.type === 'date-time' && typeof value === 'string' && isFinerThanMs(value);

function missing({ descriptor }: Resource): ApiError {
  return new ApiError('NOT_FOUND', { detail: `No ${descriptor.name} has this id.` });
}
