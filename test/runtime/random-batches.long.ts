import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { type Layout, layoutNamed, PLAIN } from '../../src/descriptor/layout.ts';
import { openPostgresStore } from '../../src/runtime/storage/postgres/postgres-store.ts';
import { Random } from '../../src/tools/random.ts';
import { type DatabaseKind, databases, postgresFor } from '../support/databases.ts';
import { hasPostgres, SERVER } from '../support/postgres.ts';
import { compareBatches } from '../support/random-batches.ts';
import { type As, startService } from '../support/service.ts';
import { isShortened, oneIn } from '../support/thorough.ts';

const BATCHES = isShortened ? 2_000 : 10_000;
const SEEDS = oneIn(4, [1, 2, 3, 4]);
const LAYOUTS = ['plain', 'tenants/8'];
const as: As = { sub: 'ann', scope: 'wares:read wares:write', claims: { tenant: 'a' } };

describe.each(databases)('random batches on $name', (database) => {
  it.each(SEEDS)(
    'leave the same rows as their items one after the other (seed %i)',
    (seed) => compareBatches(database, 500, seed),
    600_000,
  );
});

/** A database of Postgres that counts how often transactions waited for each other in a circle. */
function countingDeadlocks(layout: Layout): { readonly database: DatabaseKind; readonly found: () => number } {
  let found = 0;
  const open = async (resources: Parameters<DatabaseKind['open']>[0]) => {
    const { url, giveBack } = await postgresFor(resources, layout);
    const name = new URL(url).pathname.slice(1);
    const counted = async (): Promise<number> => {
      const client = new pg.Client({ connectionString: SERVER });
      await client.connect();
      const { rows } = await client.query('select deadlocks from pg_stat_database where datname = $1', [name]);
      await client.end();
      return Number(rows[0].deadlocks);
    };
    const before = await counted();
    const store = await openPostgresStore({ url, resources, connections: 8, statementTimeoutMs: 60_000 });
    // Its sessions report what they have counted when they end.
    const close = async (): Promise<void> => {
      await store.close();
      found = (await counted()) - before;
      await giveBack();
    };
    return { store, close };
  };
  return { database: { name: 'Postgres', open }, found: () => found };
}

describe.runIf(hasPostgres)('crossing batches on Postgres', () => {
  it.each(LAYOUTS)(
    'never wait for each other in a circle, in the layout %s',
    async (name) => {
      const { database, found } = countingDeadlocks(layoutNamed(name) ?? PLAIN);
      const service = await startService('wares', database);
      const random = new Random(7);
      const codes = Array.from({ length: 12 }, (_, i) => `x${i}`);
      const item = (code: string): object => {
        const input = { code, name: 'Lamp', state: 'NEW' };
        return random.pick([
          { upsert: { key: { code }, create: input } },
          { upsert: { key: { code }, create: input } },
          { update: { key: { code }, input: { price: random.below(9) } } },
          { update: { key: { code }, input: { code: random.pick(codes) } } },
          { delete: { key: { code } } },
          { create: { input } },
        ]);
      };
      const statuses = new Map<number, number>();
      const client = async (batches: number): Promise<void> => {
        for (let i = 0; i < batches; i += 1) {
          const items = random.sample(codes, 2 + random.below(3)).map(item);
          const { status } = await service.request('POST', '/v1/wares/batch', { as, body: { items } });
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
      };
      await Promise.all(Array.from({ length: 10 }, () => client(BATCHES / 10)));
      await service.close();
      expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([]);
      expect(statuses.get(200)).toBeGreaterThan(BATCHES / 20);
      expect(found()).toBe(0);
    },
    900_000,
  );
});
