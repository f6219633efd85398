import { describe, expect, it } from 'vitest';
import { Random } from '../../src/tools/random.ts';
import { databases } from '../support/databases.ts';
import { hasPostgres } from '../support/postgres.ts';
import { compareBatches } from '../support/random-batches.ts';
import { type As, startService } from '../support/service.ts';

const as: As = { sub: 'ann', scope: 'wares:read wares:write', claims: { tenant: 'a' } };

describe.each(databases)('2,000 random batches on $name', (database) => {
  it.each([1, 2, 3, 4])(
    'leave the same rows as their items one after the other (seed %i)',
    (seed) => compareBatches(database, 500, seed),
    600_000,
  );
});

describe.runIf(hasPostgres)('10,000 crossing batches on Postgres', () => {
  it('never wait for each other in a circle', async () => {
    const service = await startService('wares', databases.find(({ name }) => name === 'Postgres')!);
    const random = new Random(7);
    const codes = Array.from({ length: 12 }, (_, i) => `x${i}`);
    const counted = 'select deadlocks from pg_stat_database where datname = current_database()';
    const item = (code: string): object => {
      const input = { code, name: 'Lamp', state: 'NEW' };
      return random.pick([
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
        const items = random.sample(codes, 2 + random.below(4)).map(item);
        const { status } = await service.request('POST', '/v1/wares/batch', { as, body: { items } });
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: 10 }, () => client(1_000)));
    expect(
      [...statuses.keys()].every((status) => status < 500),
      JSON.stringify([...statuses]),
    ).toBe(true);
    expect(statuses.get(200)).toBeGreaterThan(500);
    const { rows } = await (service.store as never as { query(sql: string): Promise<{ rows: unknown[][] }> }).query(
      counted,
    );
    expect(Number(rows[0]![0])).toBe(0);
    await service.close();
  }, 600_000);
});
