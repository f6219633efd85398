import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { Positions } from '../../../../src/runtime/storage/postgres/positions.ts';

let asked = 0;
beforeEach(() => {
  asked = 0;
});

/** Answers the number of the question; `failing` questions have no answer. */
const log = (failing = 0) =>
  new Positions(async () => {
    asked += 1;
    if (asked <= failing) throw new Error('gone');
    return { rows: [[String(asked)]], count: 1, command: 'SELECT' };
  });

describe('the position behind commits', () => {
  it('is asked for once for all of one turn, after the last of them', async () => {
    const positions = log();
    const together = [positions.now(), positions.now(), positions.now()];
    expect(asked).toBe(0);
    expect(await Promise.all(together)).toEqual([1n, 1n, 1n]);
    await nextTurn();
    expect(await positions.now()).toBe(2n);
  });

  it('is asked for once more where there is no answer', async () => {
    expect(await log(1).now()).toBe(2n);
    expect(await log(4).now()).toBeUndefined();
    expect(asked).toBe(4);
  });
});
