import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Positions } from '../../../../src/runtime/storage/postgres/positions.ts';
import type { PostgresConnection } from '../../../../src/runtime/storage/postgres/postgres-connection.ts';

let asked = 0;

/** A connection whose log is at the number of the question; or one that is lost. */
const connection = (isUp = true): Pick<PostgresConnection, 'isUp' | 'pinnedQuery'> => ({
  isUp,
  pinnedQuery: () => async () => {
    if (!isUp) throw new Error('gone');
    asked += 1;
    return { rows: [[String(asked)]], count: 1, command: 'SELECT' };
  },
});

describe('the position behind commits', () => {
  it('is asked for once for all of one turn, after the last of them', async () => {
    const positions = new Positions(() => undefined);
    const together = [connection(), connection(), connection()].map((one) => positions.behind(one));
    expect(asked).toBe(0);
    expect(new Set(await Promise.all(together)).size).toBe(1);
    await nextTurn();
    expect(await positions.behind(connection())).toBe(2n);
  });

  it('is asked for over another connection when the first is lost', async () => {
    const before = asked;
    expect(await new Positions(() => connection()).behind(connection(false))).toBe(BigInt(before + 1));
    expect(await new Positions(() => undefined).behind(connection(false))).toBeUndefined();
  });
});
