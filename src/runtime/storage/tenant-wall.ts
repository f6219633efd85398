import { lookUp } from '../../descriptor/look-up.ts';
import { type Id, type PropertyDescriptor, propertyNamed, type ResourceDescriptor } from '../../descriptor/resource.ts';
import { ownedByTenants } from '../../descriptor/tenant.ts';
import { type MaybePromise, whenKnown } from '../async/maybe-promise.ts';
import { besideRows } from './reading-from.ts';
import { type RowScope, tenantAs } from './row-scope.ts';
import type { Condition, Reader, Relation, Row, Transaction } from './store.ts';
import { StoreError } from './store-error.ts';

/** Keeps statements to the rows of one tenant, or to those of none, beside the rows that all share. */
interface TenantWall {
  /** Conditions on rows of a resource, and those that keep these, and the rows that they ask for, behind the wall. */
  within(resource: string, conditions?: readonly Condition[]): readonly Condition[];
  /** The same for rows that a statement is given. */
  ofGiven(resource: string, conditions: readonly Condition[]): readonly Condition[];
  /** The same for rows that are known to be behind the wall. */
  ofKnown(conditions: readonly Condition[]): readonly Condition[];
  /** What a new row, or one of which some properties have changed, must meet to be behind the wall with all it refers to. */
  ofReferences(resource: string, row: Row, changed?: readonly string[]): readonly Condition[];
}

/** The wall of a scope; undefined where it reaches everything. */
export type WallOf = (scope: RowScope) => TenantWall | undefined;

/** Holds for no row. */
const NEVER: Condition = { property: 'id', operator: 'in', value: [] };

/** What a database does for the walls by itself. */
interface WallOptions {
  /** Policies keep rows below those of tenants behind the wall. */
  readonly hasPolicies?: boolean;
  /** What names the tenant of each table, if keys begin with it: references lead to rows of the same tenant alone. */
  readonly tenantColumns?: ReadonlyMap<string, PropertyDescriptor> | undefined;
}

/** Undefined for a contract without tenants. */
export function wallsOf(resources: readonly ResourceDescriptor[], options: WallOptions = {}): WallOf | undefined {
  if (!resources.some(({ tenant }) => tenant)) return undefined;
  const owned = ownedByTenants(resources);
  const references = new Map(resources.map((one) => [one.key, options.tenantColumns ? [] : referencesOf(one, owned)]));
  return (scope) => (scope.kind === 'all' ? undefined : wallOf(scope, owned, references, options));
}

/** A reference to a row of a tenant, where in a row it is, and whether it is to the row itself. */
interface Reference extends Pick<Relation, 'property' | 'resource'> {
  readonly position: number;
  isSelf(row: Row): boolean;
}

function referencesOf(
  { key, properties, parent }: ResourceDescriptor,
  owned: ReadonlyMap<string, unknown>,
): readonly Reference[] {
  const id = properties.findIndex(({ name }) => name === 'id');
  return properties.flatMap(({ name: property, references }, position) => {
    const resource = property === parent?.property ? parent.resource : references?.resource;
    if (resource === undefined || !owned.has(resource)) return [];
    return [{ property, resource, position, isSelf: (row) => resource === key && row[position] === row[id] }];
  });
}

function wallOf(
  scope: Exclude<RowScope, { readonly kind: 'all' }>,
  owned: ReadonlyMap<string, ResourceDescriptor>,
  references: ReadonlyMap<string, readonly Reference[]>,
  { hasPolicies = false, tenantColumns }: WallOptions,
): TenantWall {
  /** `isGiven`: the statement is given the rows, which have their properties alone. */
  function own(resource: string, isGiven = false): Condition | undefined {
    const { tenant, parent, properties } = owned.get(resource) ?? {};
    if (!properties) return undefined;
    if (scope.kind === 'none') return NEVER;
    const column = tenant ? propertyNamed(properties, tenant.property) : !isGiven && tenantColumns?.get(resource);
    if (!column) return hasPolicies || !parent ? undefined : related(parent);
    return { property: column.name, operator: 'eq', value: tenantAs(column.type, scope.tenant) };
  }
  // Rows of a tenant may be most of a table: they are never listed to find one.
  const related = ({ property, resource }: Pick<Relation, 'property' | 'resource'>): Relation => ({
    ...{ kind: 'related', property, resource, relatedProperty: 'id', conditions: within(resource) },
    ...{ isNone: false, isBroad: true },
  });
  const asked = (condition: Condition): Condition => {
    if (condition.kind === undefined || condition.kind === 'not') return condition;
    if (condition.kind === 'related')
      return { ...condition, conditions: within(condition.resource, condition.conditions) };
    return { ...condition, conditions: condition.conditions.map(asked) };
  };
  function withinOwn(conditions: readonly Condition[], wall: Condition | undefined): readonly Condition[] {
    const all = conditions.some(({ kind }) => kind !== undefined) ? conditions.map(asked) : conditions;
    return wall && !all.some((one) => isSame(one, wall)) ? [...all, wall] : all;
  }
  const within = (resource: string, conditions: readonly Condition[] = []) => withinOwn(conditions, own(resource));
  return {
    within,
    ofGiven: (resource, conditions) => withinOwn(conditions, own(resource, true)),
    ofKnown: (conditions) => withinOwn(conditions, undefined),
    ofReferences(resource, row, changed) {
      const isWritten = ({ property, position, isSelf }: Reference): boolean =>
        row[position] !== null && (changed?.includes(property) ?? !isSelf(row));
      const given = lookUp(references, resource).filter(isWritten).map(related);
      const wall = own(resource, true);
      if (wall?.kind !== undefined || !wall) return given;
      const at = lookUp(owned, resource).properties.findIndex(({ name }) => name === wall.property);
      return row[at] === wall.value ? given : [NEVER];
    },
  };
}

/** The engine asks for the tenant of what a caller reads, too: once is enough. */
const isSame = (one: Condition, wall: Condition): boolean =>
  one.kind === undefined &&
  wall.kind === undefined &&
  one.property === wall.property &&
  one.operator === wall.operator &&
  (one.value === wall.value || (wall === NEVER && (one.value as readonly Id[]).length === 0));

type Query = { readonly resource: string; readonly conditions: readonly Condition[] };

/** A reader whose statements stay behind a wall, or the reader itself without one. */
export function walledReader(reader: Reader, wall: TenantWall | undefined): Reader {
  if (!wall) return reader;
  const own = <Q extends Query>(query: Q): Q => ({
    ...query,
    conditions: wall.within(query.resource, query.conditions),
  });
  return {
    get: (key, id, conditions, property, columns) =>
      reader.get(key, id, wall.within(key, conditions), property, columns),
    list: (query) => reader.list(own(query)),
    count: (key, conditions, most) => reader.count(key, wall.within(key, conditions), most),
    getEach: (key, ids, conditions, columns) => reader.getEach(key, ids, wall.within(key, conditions), columns),
    listEach: (query) => reader.listEach(own(query)),
    countEach: (group) => reader.countEach(own(group)),
    totals: (query) => reader.totals(own(query)),
    meetEach: (key, rows, conditions) => reader.meetEach(key, rows, wall.ofGiven(key, conditions)),
  };
}

/** The same reader about given rows that are known to be behind the wall, even if what they refer to is gone. */
export function walledOfKnown(reader: Reader, wall: TenantWall | undefined): Reader {
  if (!wall) return reader;
  const meetEach: Reader['meetEach'] = (key, rows, conditions) => reader.meetEach(key, rows, wall.ofKnown(conditions));
  return { ...walledReader(reader, wall), meetEach };
}

/** The same for a transaction, which writes no row that refers to one beyond the wall. */
export function walledTransaction(transaction: Transaction, wall: TenantWall | undefined): Transaction {
  if (!wall) return transaction;
  const checked = <T>(key: string, row: Row, write: () => MaybePromise<T>, changed?: readonly string[]) => {
    const conditions = wall.ofReferences(key, row, changed);
    if (conditions.length === 0) return write();
    return whenKnown(transaction.unlocked.meetEach(key, [row], conditions), ([meets]) => {
      if (meets) return write();
      throw new StoreError({ kind: 'reference' }, new Error('it belongs to another tenant, or refers to one'));
    });
  };
  return {
    ...walledReader(transaction, wall),
    unlocked: walledReader(transaction.unlocked, wall),
    ...besideRows(transaction),
    insert: (key, row, along) => checked(key, row, () => transaction.insert(key, row, along)),
    async insertAll(key, rows) {
      for (const row of rows) await this.insert(key, row);
    },
    update: (key, row, changed, conditions, along) =>
      checked(key, row, () => transaction.update(key, row, changed, wall.within(key, conditions), along), changed),
    lockReferences: (key, id, conditions) => transaction.lockReferences(key, id, wall.within(key, conditions)),
    delete: (key, id, conditions) => transaction.delete(key, id, wall.within(key, conditions)),
    deleteEach: (key, ids, conditions) => transaction.deleteEach(key, ids, wall.within(key, conditions)),
  };
}
