import { constants, DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { tableOf } from '../../../src/descriptor/table.ts';
import { sqliteDialect } from '../../../src/runtime/storage/sqlite/sqlite-dialect.ts';
import { migrateTables } from '../../../src/runtime/storage/sqlite/sqlite-migration.ts';
import { TableStatements } from '../../../src/runtime/storage/statements/table-statements.ts';
import type { RowQuery } from '../../../src/runtime/storage/store.ts';
import { property, resource } from '../../support/descriptors.ts';

const things = {
  ...resource('things', 'Thing', [
    property('rank', { type: 'integer' }),
    property('seenAt', { type: 'date-time', nullable: true }),
  ]),
  list: {
    defaultLimit: 20,
    maximumLimit: 100,
    filters: [],
    sorts: [
      { value: 'rank', property: 'rank', direction: 'asc' },
      { value: 'seenAt', property: 'seenAt', direction: 'asc' },
    ],
    defaultSort: [],
  },
} as const;

const database = new DatabaseSync(':memory:');
migrateTables(database, [things]);
const statements = new TableStatements(sqliteDialect, tableOf(things));

/** How SQLite would run the list. */
function planOf(order: RowQuery['order'], after: RowQuery['after']): string {
  const { sql, slots } = statements.list({
    resource: 'things',
    conditions: [],
    order,
    limit: 20,
    ...(after && { after }),
  });
  const steps = database.prepare(`explain query plan ${sql}`).all(...slots.map(() => 'x'));
  return steps.map(({ detail }) => detail).join('; ');
}

const keys = (name: string, direction: 'asc' | 'desc') => [
  { property: name, direction },
  { property: 'id', direction },
];

describe('a page deep in a list', () => {
  it.each([
    ['rank', 'asc', 1],
    ['rank', 'desc', 1],
    ['seenAt', 'asc', '2026'],
    ['seenAt', 'desc', '2026'],
    ['seenAt', 'desc', null],
  ] as const)('by %s %s after %j is found by an index, without a sort', (name, direction, last) => {
    const plan = planOf(keys(name, direction), [last, 'x']);
    expect(plan).toContain('SEARCH things USING INDEX');
    expect(plan).not.toMatch(/SCAN|TEMP B-TREE/);
  });

  it('by id is found by the primary key', () => {
    expect(planOf([{ property: 'id', direction: 'asc' }], ['x'])).toContain('SEARCH');
  });
});

it('a page is planned once, and not whenever its statement is run', () => {
  const { sql, slots } = statements.list({ resource: 'things', conditions: [], order: keys('rank', 'asc'), limit: 21 });
  const page = database.prepare(sql);
  const values = slots.map(() => 21);
  let planned = 0;
  // It is asked about all that a statement does when that is planned; with a new one, all are planned anew.
  database.setAuthorizer(() => {
    planned++;
    return constants.SQLITE_OK;
  });
  page.all(...values);
  const once = planned;
  page.all(...values);
  database.setAuthorizer(null);
  expect(once).toBeGreaterThan(0);
  expect(planned).toBe(once);
});
