import { beforeEach, describe, expect, it } from 'vitest';
import { ConnectionPool } from '../../../../src/runtime/storage/postgres/connection-pool.ts';
import { hasPgBouncer, startPgBouncer } from '../../../support/pgbouncer.ts';
import { hasPostgres, makeDatabase } from '../../../support/postgres.ts';

const SHOW = 'show plan_cache_mode';
const ONCE = 'force_generic_plan';

describe.skipIf(!hasPostgres)('statements that are prepared', () => {
  let url: string;
  beforeEach(async () => {
    url = await makeDatabase();
  });

  /** How reads, reads that may take long, and transactions are planned, with tables of so many partitions. */
  async function modes(address: string, partitions: number): Promise<readonly unknown[]> {
    const limits = { readers: 1, writers: 1, statementTimeoutMs: 5_000, connectTimeoutMs: 5_000 };
    const pool = new ConnectionPool({ url: address, ...limits });
    await pool.open();
    await pool.planFor(partitions);
    const lease = await pool.transactions.acquire();
    const read = { table: 'cats', isBounded: false, sql: SHOW, values: [] };
    const asked = [pool.read(SHOW), pool.readFrom(read), lease.connection.query(SHOW)];
    const answers = await Promise.all(asked);
    pool.transactions.release(lease);
    await pool.close();
    return answers.map(({ rows }) => rows[0]?.[0]);
  }

  it.each([
    ['plain tables: reads once', 0, [ONCE, 'force_custom_plan', 'auto']],
    [
      '8 partitions: reads and transactions once, since planning finds the partition each time',
      8,
      [ONCE, 'force_custom_plan', ONCE],
    ],
    [
      '64 partitions, which a plan without values locks all: as Postgres decides',
      64,
      ['auto', 'force_custom_plan', 'auto'],
    ],
  ] as const)('are planned, for %s', async (_, partitions, expected) => {
    expect(await modes(url, partitions)).toEqual(expected);
  });

  it.skipIf(!hasPgBouncer)('are planned as Postgres decides behind a pooler, which prepares nothing', async () => {
    const bouncer = await startPgBouncer(url, 'transaction');
    expect(await modes(bouncer.through(url), 8)).toEqual(['auto', 'force_custom_plan', 'auto']);
    await bouncer.close();
  });
});
