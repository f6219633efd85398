import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { migrate } from '../../../src/runtime/storage/migration/migrator.ts';
import { lockedPostgres } from '../../../src/runtime/storage/postgres/postgres-migration.ts';
import { property, resource } from '../../support/descriptors.ts';
import { hasPostgres, makeDatabase } from '../../support/postgres.ts';

const READER_MS = 10_000;
const PAUSE_MS = 20;
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

describe.skipIf(!hasPostgres)('a migration of Postgres beside a reader of ten seconds', () => {
  it('delays no other table, and the own one at most 2 s at a time', async () => {
    const { url, drop } = await makeDatabase();
    const clients = [0, 1, 2].map(() => new pg.Client({ connectionString: url }));
    const [reader, own, other] = clients as [pg.Client, pg.Client, pg.Client];
    try {
      await lockedPostgres(url, (target) => migrate(target, { resources: before, handWritten: [] }));
      for (const client of clients) await client.connect();
      let isReading = true;
      const slowest = async (client: pg.Client, table: string) => {
        let slowestMs = 0;
        while (isReading) {
          const start = performance.now();
          await client.query(`select * from ${table}`);
          await client.query(`update ${table} set version = version where false`);
          slowestMs = Math.max(slowestMs, performance.now() - start);
          await delay(PAUSE_MS);
        }
        return slowestMs;
      };
      await reader.query('begin');
      await reader.query('select * from users');
      const migration = lockedPostgres(url, (target) => migrate(target, { resources: after, handWritten: [] }));
      const waits = Promise.all([slowest(own, 'users'), slowest(other, 'things')]);
      await delay(READER_MS);
      await reader.query('commit');
      expect((await migration).done).toContain('add column users.note');
      isReading = false;
      const [ownMs, otherMs] = await waits;
      expect(ownMs).toBeLessThan(2_000);
      expect(otherMs).toBeLessThan(1_000);
      console.log(`waited at most: own ${Math.round(ownMs)} ms, other ${Math.round(otherMs)} ms`);
    } finally {
      for (const client of clients) await client.end();
      await drop();
    }
  });
});
