import { ApiError } from '../errors/api-error.ts';
import type { Reader, Row, Transaction } from '../storage/store.ts';
import { normalize, normalized } from './normalize.ts';
import type { ResourceTypes, Table, Tables } from './overrides.ts';
import type { Resource } from './resource.ts';
import type { Values } from './row-codec.ts';
import { deleteRow } from './row-deleter.ts';
import { insertRow, updateRow } from './row-writer.ts';

const BATCH = 500;

/** What a table needs of the engine. */
export interface Work {
  readonly transaction: Transaction;
  readonly now: Date;
  readonly newId: () => string;
}

export type AnyTables = Tables<Readonly<Record<string, ResourceTypes>>>;
type AnyTable = Table<ResourceTypes>;

/** The rows of all resources inside one transaction; tables are made when asked for. */
export function tablesIn(work: Work, resources: ReadonlyMap<string, Resource>): AnyTables {
  const tables = {};
  for (const [key, resource] of resources) {
    Object.defineProperty(tables, key, { enumerable: true, get: () => tableIn(work, resource) });
  }
  return tables;
}

function tableIn(work: Work, resource: Resource): AnyTable {
  const { transaction, now, newId } = work;
  const { codec, descriptor } = resource;
  const row = (id: string) => transaction.get(descriptor.key, normalize(resource.property.get('id')!, id) as string);
  return {
    async get(id) {
      const found = await row(id);
      return found && codec.toValues(found);
    },
    async list(where) {
      return (await rowsWhere(transaction, resource, where as Values)).map((found) => codec.toValues(found));
    },
    async create(values) {
      return codec.toValues(await insertRow(transaction, resource, values as Values, { id: newId(), now }));
    },
    async update(id, values) {
      const current = await row(id);
      if (!current) throw missing(resource);
      const next = { ...codec.toValues(current), ...normalized(resource, values as Values) };
      return codec.toValues(await updateRow(transaction, resource, current, next, now));
    },
    async delete(id) {
      if (!(await deleteRow(transaction, resource, id, now))) throw missing(resource);
    },
  };
}

async function rowsWhere(reader: Reader, resource: Resource, where: Values): Promise<Row[]> {
  const filter = resource.codec.toRow(normalized(resource, where));
  const conditions = Object.keys(where).map(
    (property) => ({ property, operator: 'eq', value: filter[resource.index(property)]! }) as const,
  );
  const rows: Row[] = [];
  for (let last = ''; ; last = resource.valueIn(rows.at(-1)!, 'id') as string) {
    const batch = await reader.list({
      resource: resource.descriptor.key,
      conditions,
      order: [{ property: 'id', direction: 'asc' }],
      after: [last],
      limit: BATCH,
    });
    rows.push(...batch);
    if (batch.length < BATCH) return rows;
  }
}

function missing({ descriptor }: Resource): ApiError {
  return new ApiError('NOT_FOUND', { detail: `No ${descriptor.name} has this id.` });
}
