import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Lane, type LaneRead } from '../../../src/runtime/storage/lane.ts';

/** A lane with so many places, whose reads end when they are told to. */
function laneOf(places: number, maxWaiting = 100, waitTimeoutMs = 60_000) {
  const lane = new Lane([...Array(places).keys()], { waitTimeoutMs, maxWaiting });
  const running = new Map<string, () => void>();
  const refused: string[] = [];
  const read = (name: string, asked: LaneRead = { caller: name[0]! }): void => {
    const work = (): Promise<void> => new Promise((resolve) => running.set(name, resolve));
    lane.run(asked, work).then(
      () => running.delete(name),
      ({ cause: { message } }) => refused.push(`${name}: ${message}`),
    );
  };
  /** Ends a read; those that run then. */
  const end = async (name: string): Promise<readonly string[]> => {
    running.get(name)!();
    return now();
  };
  const now = async (): Promise<readonly string[]> => {
    await turn();
    return [...running.keys()];
  };
  return { lane, read, end, now, refused };
}

describe('the lane of expensive reads', () => {
  it('serves callers in turn, however much one of them asks for', async () => {
    const { read, end, now } = laneOf(1);
    for (const name of ['a1', 'a2', 'a3', 'b1', 'c1']) read(name);
    expect(await now()).toEqual(['a1']);
    expect(await end('a1')).toEqual(['b1']);
    read('d1');
    const order: string[] = [];
    for (let next = await end('b1'); next.length > 0; next = await end(next[0]!)) order.push(...next);
    expect(order).toEqual(['c1', 'a2', 'd1', 'a3']);
  });

  it('leaves a place to others, of all that a caller or a table could have', async () => {
    const { read, end, now } = laneOf(3);
    for (const name of ['a1', 'a2', 'a3']) read(name, { caller: 'a', table: name });
    expect(await now()).toEqual(['a1', 'a2']);
    for (const name of ['b1', 'c1']) read(name, { caller: name, table: 'a2' });
    expect(await now()).toEqual(['a1', 'a2', 'b1']);
    expect(await end('a1')).toEqual(['a2', 'b1', 'a3']);
    expect(await end('a2')).toEqual(['b1', 'a3', 'c1']);
  });

  it('lets the reads of no caller have all places', async () => {
    const { read, now } = laneOf(2);
    for (const name of ['1', '2', '3']) read(name, {});
    expect(await now()).toEqual(['1', '2']);
  });

  it('refuses what one caller has more of than a quarter of all that may wait, and not what another has', async () => {
    const { read, now, refused } = laneOf(1, 8);
    for (const name of ['a0', 'a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'b3', 'c1']) read(name);
    await now();
    const tooMany = (name: string) => `${name}: too many expensive reads are waiting`;
    expect(refused).toEqual(['a3', 'a4', 'b3'].map(tooMany));
    for (const name of ['1', '2', '3', '4']) read(name, {});
    await now();
    expect(refused).toEqual(['a3', 'a4', 'b3', '4'].map(tooMany));
  });

  it('refuses what waits too long, and what waits when it is closed', async () => {
    const short = laneOf(1, 100, 1);
    for (const name of ['a1', 'b1']) short.read(name);
    while (short.refused.length === 0) await turn();
    expect([await short.now(), short.refused]).toEqual([['a1'], ['b1: too many expensive reads are waiting']]);
    const { lane, read, now, refused } = laneOf(1);
    for (const name of ['a1', 'a2', 'b1']) read(name);
    await now();
    lane.close();
    await now();
    expect(refused).toEqual(['b1: the database is closed', 'a2: the database is closed']);
  });

  it('goes on after a read that fails', async () => {
    const { lane, read, now } = laneOf(1);
    await expect(lane.run({ caller: 'a' }, () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
    read('a1');
    expect(await now()).toEqual(['a1']);
  });
});
