import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { PropertyDescriptor, ResourceDescriptor } from '../../../src/descriptor/resource.ts';
import { tablesOf } from '../../../src/descriptor/table.ts';
import { postgresTables } from '../../../src/runtime/storage/postgres/postgres-tables.ts';
import { transactionClauses } from '../../../src/runtime/storage/postgres/postgres-transaction.ts';
import { ALL_ROWS, ofTenant, type RowScope } from '../../../src/runtime/storage/row-scope.ts';
import type { ReadStatement, Statement } from '../../../src/runtime/storage/statements/statement.ts';
import type { TableStatements } from '../../../src/runtime/storage/statements/table-statements.ts';
import type { Comparison, Condition, Reader, RowQuery, Transaction } from '../../../src/runtime/storage/store.ts';
import { walledOfKnown, walledTransaction, wallsOf } from '../../../src/runtime/storage/tenant-wall.ts';
import { WITH_SHARED_TEACHERS } from '../../support/conservatory.ts';
import { editedContract } from '../../support/edited-contract.ts';
import { tenantColumns, unnamedIn } from '../../support/unnamed-tenants.ts';

const SCHOOL = 'elm';

let resources: readonly ResourceDescriptor[] = [];
let columns: ReadonlyMap<string, string> = new Map();
beforeAll(async () => {
  resources = (await editedContract('conservatory', WITH_SHARED_TEACHERS)).resources;
  columns = tenantColumns(resources);
});

/** The texts of a statement and of all others that may run in its place. */
const textsOf = (one: Statement & Partial<ReadStatement>): readonly string[] => [
  one.sql,
  ...(one.narrow ?? []).flatMap(({ probe, statement }) => [probe.sql, statement.sql]),
  ...(one.ahead ? [one.ahead.sql] : []),
];

/** A transaction that keeps the texts of its statements in place of running them; `scope`: of a tenant, or of all. */
function recorded(into: string[], scope: RowScope): Transaction & { readonly known: Reader } {
  const all = tablesOf(resources, { kind: 'tenants', partitions: 8 });
  const plain = postgresTables(all);
  const locking = postgresTables(all, transactionClauses);
  const reader = (tables: typeof plain): Reader => {
    const keep =
      <A extends readonly unknown[], T>(of: (statements: TableStatements, ...args: A) => Statement, answer: T) =>
      (key: string, ...args: A): T => {
        into.push(...textsOf(of(tables.get(key)!.statements, ...args)));
        return answer;
      };
    const list = keep((statements, query: RowQuery) => statements.list(query), []);
    return {
      get: keep((one, _id, conditions = [], property, names) => one.get(conditions, property, names), undefined),
      list: (query) => list(query.resource, query),
      count: keep((one, conditions, most) => one.count(conditions, most), 0),
      getEach: keep((one, _ids, conditions = [], names) => one.getEach(conditions, names), []),
      listEach: (query) => keep((one) => one.listEach(query), [])(query.resource),
      countEach: (query) => keep((one) => one.countEach(query), [])(query.resource),
      totals: (query) => keep((one) => one.totals(query), [])(query.resource),
      meetEach: keep((one, _rows, conditions) => one.meetEach(conditions), []),
    };
  };
  const statementsOf = (key: string) => locking.get(key)!.statements;
  const own = {
    ...reader(locking),
    unlocked: reader(plain),
    update: (key, _row, changed, conditions = []) => {
      into.push(statementsOf(key).update(changed, conditions).sql);
    },
    delete: (key, _id, conditions = []) => {
      into.push(statementsOf(key).delete(conditions).sql);
      return true;
    },
    deleteEach: (key, _ids, conditions = []) => {
      into.push(statementsOf(key).deleteEach(conditions).sql);
    },
  } as Transaction;
  const named = new Map(all.flatMap(({ descriptor, tenant }) => (tenant ? [[descriptor.key, tenant]] : [])));
  const wall = wallsOf(resources, { tenantColumns: named })?.(scope);
  return { ...walledTransaction(own, wall), known: walledOfKnown(own, wall) };
}

const comparable = ({ properties }: ResourceDescriptor): readonly PropertyDescriptor[] =>
  properties.filter(({ type }) => type !== 'json');

const comparisonOn = (resource: ResourceDescriptor): fc.Arbitrary<Comparison> =>
  fc
    .tuple(fc.constantFrom(...comparable(resource)), fc.constantFrom('eq', 'eq', 'in', 'gte'))
    .map(
      ([{ name }, operator]) =>
        ({ property: name, operator, value: operator === 'in' ? ['1', '2'] : '1' }) as Comparison,
    );

/** Relations of rows: by what they refer to, and by what refers to them. */
const relationsOf = (resource: ResourceDescriptor) => [
  ...resource.properties.flatMap(({ name, references }) => {
    const other = name === resource.parent?.property ? resource.parent.resource : references?.resource;
    return other === undefined ? [] : [{ property: name, resource: other, relatedProperty: 'id' }];
  }),
  ...resources.flatMap((other) =>
    other.properties
      .filter(
        ({ name, references }) =>
          references?.resource === resource.key ||
          (other.parent?.resource === resource.key && name === other.parent.property),
      )
      .map(({ name }) => ({ property: 'id', resource: other.key, relatedProperty: name })),
  ),
];

const named = (key: string): ResourceDescriptor => resources.find((one) => one.key === key)!;

function conditionOn(resource: ResourceDescriptor, depth: number): fc.Arbitrary<Condition> {
  const comparison = comparisonOn(resource);
  if (depth === 0) return comparison;
  const inner = conditionOn(resource, depth - 1);
  const relations = relationsOf(resource).map((relation) =>
    fc
      .tuple(fc.array(conditionOn(named(relation.resource), depth - 1), { maxLength: 2 }), fc.boolean(), fc.boolean())
      .map(
        ([conditions, isNone, isBroad]): Condition => ({ kind: 'related', ...relation, conditions, isNone, isBroad }),
      ),
  );
  const combined = fc
    .tuple(fc.constantFrom('all', 'any'), fc.array(inner, { minLength: 1, maxLength: 2 }))
    .map(([kind, conditions]) => ({ kind, conditions }) as Condition);
  const negated = comparison.map((one): Condition => ({ kind: 'not', comparison: one }));
  return fc.oneof({ weight: 3, arbitrary: comparison }, negated, combined, ...relations);
}

const queries = (resource: ResourceDescriptor) =>
  fc.record({
    conditions: fc.array(conditionOn(resource, 3), { maxLength: 4 }),
    sort: fc.constantFrom(...comparable(resource).map(({ name }) => name)),
    direction: fc.constantFrom('asc' as const, 'desc' as const),
    isFollowing: fc.boolean(),
    by: fc.constantFrom(...comparable(resource).map(({ name }) => name)),
    most: fc.constantFrom(undefined, 11),
  });

/** Relations, reads ahead, by the rows that one comparison leads to and of groups, and their probes. */
const KINDS =
  /related_[123]_|limit 1000\)|limit 1000000000000|limit 1001|cross join lateral|for no key update|delete from/g;
const ALL_KINDS = [
  ...['cross join lateral', 'delete from', 'for no key update', 'limit 1000)', 'limit 1000000000000', 'limit 1001'],
  ...['related_1_', 'related_2_', 'related_3_'],
];

/** A subquery about related rows: its table, and the first column that is compared with one of the rows outside. */
const RELATED = /\(select 1 from "(\w+)" as "related_\d_" where "related_\d_"\."(\w+)" = "\w+"\."\w+"/g;
const SHARED_OR_NAMED = /"teachers"|"school_id" = \$/;

it('a deletion within a tenant has its own conditions, too', () => {
  const texts: string[] = [];
  const transaction = recorded(texts, ofTenant(SCHOOL));
  const conditions: readonly Condition[] = [{ property: 'version', operator: 'eq', value: 3 }];
  transaction.delete('students', '1', conditions);
  transaction.deleteEach('students', ['1'], conditions);
  expect(texts.map((text) => [text.includes('"version" = $'), text.includes('"school_id" = $')])).toEqual([
    [true, true],
    [true, true],
  ]);
});

describe('a statement of a caller of one tenant', () => {
  it('names the tenant in each subquery, whatever is asked, and in all that may run in its place', () => {
    const kinds = new Set<string>();
    for (const resource of resources)
      fc.assert(
        fc.property(queries(resource), ({ conditions, sort, direction, isFollowing, by, most }) => {
          const texts: string[] = [];
          const transaction = recorded(texts, ofTenant(SCHOOL));
          const { key, properties } = resource;
          const row = properties.map(({ name }) => (name === 'schoolId' ? SCHOOL : null));
          const order = [...new Set([sort, 'id'])].map((property) => ({ property, direction }));
          const list = { resource: key, conditions, order, limit: 5 };
          for (const reader of [transaction, transaction.unlocked]) {
            reader.get(key, '1', conditions, by);
            reader.list({ ...list, ...(isFollowing && { after: order.map(() => '1') }) });
            reader.count(key, conditions, most);
            reader.getEach(key, ['1'], conditions);
            reader.listEach({ ...list, property: by, values: ['1'] });
            reader.countEach({ resource: key, conditions, property: by, values: ['1'], most });
            reader.totals({
              resource: key,
              conditions,
              groups: [],
              measures: [{ of: 'Count' }],
              order: [],
              offsets: [],
              limit: 1,
            });
            reader.meetEach(key, [[]], conditions);
          }
          transaction.known.meetEach(key, [[]], conditions);
          transaction.update(key, row, ['version'], conditions);
          transaction.delete(key, '1', conditions);
          transaction.deleteEach(key, ['1'], conditions);
          for (const text of texts) {
            expect(unnamedIn(text, columns), text).toEqual([]);
            for (const [kind] of text.matchAll(KINDS)) kinds.add(kind);
          }
        }),
        { numRuns: 60, seed: 49 },
      );
    expect([...kinds].sort()).toEqual(ALL_KINDS);
  });

  it('joins relations on the tenant if it is one of all', () => {
    let joined = 0;
    for (const resource of resources)
      fc.assert(
        fc.property(queries(resource), ({ conditions }) => {
          const texts: string[] = [];
          recorded(texts, ALL_ROWS).unlocked.count(resource.key, conditions);
          for (const text of texts.filter((one) => !SHARED_OR_NAMED.test(one)))
            for (const [, table = '', first] of text.matchAll(RELATED)) {
              expect([first, text]).toEqual([columns.get(table), text]);
              joined += 1;
            }
        }),
        { numRuns: 40, seed: 49 },
      );
    expect(joined).toBeGreaterThan(100);
  });
});
