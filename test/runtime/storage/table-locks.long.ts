import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { migrate } from '../../../src/runtime/storage/migration/migrator.ts';
import { lockedPostgres } from '../../../src/runtime/storage/postgres/postgres-migration.ts';
import { property, resource } from '../../support/descriptors.ts';
import { eventually } from '../../support/eventually.ts';
import { hasPostgres, makeDatabase } from '../../support/postgres.ts';

const optional = { required: false, nullable: true };
const user = property('userId', {
  type: 'uuid',
  ...optional,
  references: { resource: 'users', onDelete: 'restrict' },
});
const before = [resource('users', 'User', []), resource('things', 'Thing', [property('name')])];
const after = [
  resource('users', 'User', [property('note', optional)]),
  resource('things', 'Thing', [property('name'), user]),
];

/** How many statements wait for a lock that lets no other use the table `users`. */
const WAITING = `
  select count(*)::int as waiting from pg_locks join pg_class on pg_class.oid = relation
  where relname = 'users' and not granted and mode like '%Exclusive%'`;

describe.skipIf(!hasPostgres)('a migration of Postgres beside a reader that does not end', () => {
  it('lets others use the tables that it locks, again and again', async () => {
    const url = await makeDatabase();
    const clients = [0, 1].map(() => new pg.Client({ connectionString: url }));
    const [reader, other] = clients as [pg.Client, pg.Client];
    try {
      await lockedPostgres(url, (target) => migrate(target, { resources: before, handWritten: [] }));
      for (const client of clients) await client.connect();
      await reader.query('begin');
      await reader.query('select * from users');
      const migration = lockedPostgres(url, (target) => migrate(target, { resources: after, handWritten: [] }));
      for (let i = 0; i < 3; i++) {
        await eventually(async () => expect((await other.query(WAITING)).rows).toEqual([{ waiting: 1 }]));
        // Each is answered while the reader still reads: the migration has given way.
        for (const table of ['things', 'users']) {
          await other.query(`select * from ${table}`);
          await other.query(`update ${table} set version = version where false`);
        }
      }
      await reader.query('commit');
      expect((await migration).done).toContain('add column users.note');
    } finally {
      for (const client of clients) await client.end();
    }
  });
});
