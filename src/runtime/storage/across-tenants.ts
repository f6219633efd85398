import { lookUp } from '../../descriptor/look-up.ts';
import type { Id } from '../../descriptor/resource.ts';
import { hasHiddenTenant, positionOf, type Table } from '../../descriptor/table.ts';
import { besideRows, readingFrom } from './reading-from.ts';
import type { Columns, Condition, CountQuery, GroupQuery, Reader, Row, Transaction } from './store.ts';
import { StoreError } from './store-error.ts';

/** What reads and writes of all tenants need, where keys begin with the tenant. */
interface Across<R extends Reader> {
  /** By the keys of resources. */
  readonly tables: ReadonlyMap<string, Table>;
  /** Reads and writes of one tenant. */
  readonly of: (tenant: Id) => R;
}

type Tenants = ReadonlyMap<Id, Id>;

/**
 * A reader for the rows of all tenants. Gets, lists and counts ask all of them at once. What is about rows that are given, or
 * about rows below those of given ids, runs once for each of their tenants, so that statements name it.
 */
export function acrossReader(reader: Reader, { tables, of }: Across<Reader>): Reader {
  /** Runs once for each tenant of these ids; answers stand where the ids do, `none` for those of no row. */
  async function ofEach<T>(
    query: GroupQuery | CountQuery,
    read: (reader: Reader, values: readonly Id[]) => ReturnType<Reader['countEach' | 'listEach']>,
    none: T,
  ): Promise<readonly T[] | undefined> {
    const table = lookUp(tables, query.through ?? query.resource);
    const above = aboveOf(table, query.property);
    if (above === undefined || !lookUp(tables, above).tenant) return undefined;
    const tenants = await tenantsOf(reader, lookUp(tables, above), query.values);
    const answers = query.values.map(() => none);
    for (const [tenant, some] of Map.groupBy(query.values.entries(), ([, value]) => tenants.get(value))) {
      if (tenant === undefined) continue;
      const values = some.map(([, value]) => value);
      for (const [i, answer] of (await read(of(tenant), values)).entries()) answers[some[i]?.[0] ?? 0] = answer as T;
    }
    return answers;
  }
  /** Citus cannot join rows of all tenants with a subquery for each: those of each value are asked for alone. */
  const isSplit = ({ resource }: CountQuery): boolean => {
    const { tenant, isDistributed } = lookUp(tables, resource);
    return isDistributed && tenant !== undefined;
  };
  return {
    ...readingFrom((read) => read(reader)),
    async listEach(query) {
      const ofTenants = await ofEach<readonly Row[]>(query, (one, values) => one.listEach({ ...query, values }), []);
      if (ofTenants || !isSplit(query)) return ofTenants ?? reader.listEach(query);
      return Promise.all(query.values.map((value) => reader.list(ofValue(query, value))));
    },
    async countEach(query) {
      const ofTenants = await ofEach<number>(query, (one, values) => one.countEach({ ...query, values }), 0);
      if (ofTenants || !isSplit(query)) return ofTenants ?? reader.countEach(query);
      const { resource, most } = query;
      return Promise.all(query.values.map((value) => reader.count(resource, ofValue(query, value).conditions, most)));
    },
    async meetEach(key, rows, conditions) {
      const table = lookUp(tables, key);
      if (!table.tenant || !conditions.some(isRelated)) return reader.meetEach(key, rows, conditions);
      const tenants = await tenantsOfRows(reader, tables, table, rows);
      const meets = new Array<boolean>(rows.length).fill(false);
      for (const [tenant, some] of Map.groupBy(rows.entries(), ([at]) => tenants[at])) {
        const given = some.map(([, row]) => row);
        const found = await (tenant === undefined ? reader : of(tenant)).meetEach(key, given, conditions);
        for (const [i, meetsAll] of found.entries()) meets[some[i]?.[0] ?? 0] = meetsAll;
      }
      return meets;
    },
  };
}

/** The same for a transaction: what locks or writes a row finds it first, and then names its tenant. */
export function acrossTransaction(transaction: Transaction, across: Across<Transaction>): Transaction {
  const { tables, of } = across;
  const ofUnlocked = (tenant: Id): Reader => of(tenant).unlocked;
  const unlocked = acrossReader(transaction.unlocked, { tables, of: ofUnlocked });
  const ofRow = async (key: string, id: Id): Promise<Transaction | undefined> => {
    const table = lookUp(tables, key);
    if (!table.tenant) return transaction;
    const tenant = (await tenantsOf(transaction.unlocked, table, [id])).get(id);
    return tenant === undefined ? undefined : of(tenant);
  };
  const idOf = (key: string, row: Row): Id => row[positionOf(lookUp(tables, key), 'id')] as Id;
  const get: Transaction['get'] = async (key, id, conditions, property, columns) => {
    const table = lookUp(tables, key);
    if (!table.tenant) return transaction.get(key, id, conditions, property, columns);
    const found = await transaction.unlocked.get(key, id, conditions, property, keyOf(table));
    if (!found) return undefined;
    return of(tenantIn(table, found)).get(key, idOf(key, found), conditions, 'id', columns);
  };
  return {
    ...acrossReader(transaction, { tables, of: ofUnlocked }),
    unlocked,
    ...besideRows(transaction),
    get,
    async list(query) {
      if (!lookUp(tables, query.resource).tenant) return transaction.list(query);
      const rows: Row[] = [];
      for (const row of await unlocked.list(query)) {
        const locked = await get(query.resource, idOf(query.resource, row), query.conditions, 'id', query.columns);
        if (locked) rows.push(locked);
      }
      return rows;
    },
    async insert(key, row, along) {
      const table = lookUp(tables, key);
      if (!table.tenant) return transaction.insert(key, row, along);
      const [tenant] = await tenantsOfRows(transaction.unlocked, tables, table, [row]);
      if (tenant === undefined) throw new StoreError({ kind: 'reference' }, new Error('the row above is not there'));
      return of(tenant).insert(key, row, along);
    },
    async insertAll(key, rows, tenants) {
      const table = lookUp(tables, key);
      if (!hasHiddenTenant(table)) return transaction.insertAll(key, rows);
      const known = tenants ?? (await tenantsOfRows(transaction.unlocked, tables, table, rows));
      return transaction.insertAll(key, rows, known);
    },
    update: async (key, row, changed, conditions, along) =>
      (await ofRow(key, idOf(key, row)))?.update(key, row, changed, conditions, along),
    lockReferences: async (key, id, conditions) => (await ofRow(key, id))?.lockReferences(key, id, conditions),
    delete: async (key, id, conditions) => (await (await ofRow(key, id))?.delete(key, id, conditions)) ?? false,
    async deleteEach(key, ids, conditions) {
      const table = lookUp(tables, key);
      if (!table.tenant) return transaction.deleteEach(key, ids, conditions);
      const tenants = await tenantsOf(transaction.unlocked, table, ids);
      for (const tenant of new Set(tenants.values())) {
        const own = ids.filter((id) => tenants.get(id) === tenant);
        await of(tenant).deleteEach(key, own, conditions);
      }
    },
  };
}

/** The query for one of the groups. */
function ofValue<Q extends CountQuery>({ property, through, ...query }: Q, value: Id) {
  const asked = (condition: Condition): Condition => {
    if (condition.kind === undefined)
      return condition.operator === 'each' ? { ...condition, operator: 'eq', value } : condition;
    return condition.kind === 'not' ? condition : { ...condition, conditions: condition.conditions.map(asked) };
  };
  const own: readonly Condition[] = through === undefined ? [{ property, operator: 'eq', value }] : [];
  return { ...query, conditions: [...own, ...query.conditions.map(asked)] };
}

const isRelated = (condition: Condition): boolean =>
  condition.kind === 'related' ||
  ((condition.kind === 'all' || condition.kind === 'any') && condition.conditions.some(isRelated));

/** The resource whose ids a property has. */
function aboveOf({ descriptor: { parent, key }, column }: Table, property: string): string | undefined {
  if (property === 'id') return key;
  return property === parent?.property ? parent.resource : column.get(property)?.references?.resource;
}

/** What is read of a row to name its tenant. */
const keyOf = ({ key }: Table): Columns => ({ names: new Set(key), shape: key.join() });

const tenantIn = (table: Table, row: Row): Id => row[positionOf(table, table.key[0] ?? '')] as Id;

/** The tenants of the rows with these ids, by id. */
async function tenantsOf(reader: Reader, table: Table, ids: readonly Id[]): Promise<Tenants> {
  const rows = await reader.getEach(table.descriptor.key, [...new Set(ids)], [], keyOf(table));
  return new Map(rows.map((row) => [row[positionOf(table, 'id')] as Id, tenantIn(table, row)]));
}

/**
 * The tenants of rows, which need not be stored: those that they name, or those of the rows above them. Where these are gone,
 * another row that one refers to is of the same tenant.
 */
async function tenantsOfRows(
  reader: Reader,
  tables: ReadonlyMap<string, Table>,
  table: Table,
  rows: readonly Row[],
): Promise<readonly (Id | undefined)[]> {
  if (!hasHiddenTenant(table)) return rows.map((row) => tenantIn(table, row));
  const { parent, properties } = table.descriptor;
  const references = properties.flatMap(({ name, references }) => (references ? [name] : []));
  const tenants: (Id | undefined)[] = rows.map(() => undefined);
  for (const name of new Set([parent?.property ?? '', ...references])) {
    const above = lookUp(tables, aboveOf(table, name) ?? '');
    const ids = rows.map((row) => row[positionOf(table, name)] as Id | null);
    const sought = ids.filter((id, i) => id !== null && tenants[i] === undefined) as Id[];
    if (!above.tenant || sought.length === 0) continue;
    const found = await tenantsOf(reader, above, sought);
    for (const [i, id] of ids.entries()) tenants[i] ??= found.get(id ?? '');
  }
  return tenants;
}
