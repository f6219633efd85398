import { describe, expect, it } from 'vitest';
import { databases } from '../../../support/databases.ts';
import { hasPostgres } from '../../../support/postgres.ts';
import { contractOf } from '../../../support/service.ts';

// SQLite has one writer, whose work is done in turns of the event loop.
describe.skipIf(!hasPostgres)('transactions that wait for a connection', () => {
  it('of one caller delay those of another by one', async () => {
    const { resources } = await contractOf('library');
    const { store, close } = await databases.find(({ name }) => name === 'Postgres')!.open(resources);
    const order: string[] = [];
    const write = (turn: string): Promise<void> =>
      store.transaction(
        async (transaction) => {
          order.push(turn);
          await transaction.count('authors', [], 1);
        },
        undefined,
        undefined,
        undefined,
        { turn },
      );
    await Promise.all([...Array.from({ length: 100 }, () => write('a')), write('b'), write('c')]);
    expect(order).toHaveLength(102);
    // Those that had a connection at once, one of the first that waits, and then theirs.
    expect(order.indexOf('b')).toBeLessThan(10);
    expect(order.indexOf('c')).toBeLessThan(10);
    await close();
  });
});
