import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { Turns } from '../../../src/runtime/async/turns.ts';

/** Counts turns of the event loop until it is stopped. */
function countTurns(): { readonly turn: () => number; readonly stop: () => void } {
  let [turn, isOver] = [0, false];
  const next = (): void => {
    turn++;
    if (!isOver) setImmediate(next);
  };
  setImmediate(next);
  return {
    turn: () => turn,
    stop: () => {
      isOver = true;
    },
  };
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Adds a task that needs a request. */
function addWithRequest(turns: Turns): WeakRef<object> {
  const request = {};
  turns.add(() => void request);
  return new WeakRef(request);
}

describe('turns', () => {
  it('keep nothing of a task that is done while others wait', async () => {
    let now = 0;
    const turns = new Turns(5, () => (now += 10));
    const request = addWithRequest(turns);
    const isKept = await new Promise<boolean>((resolve) => {
      turns.add(() => {
        collectGarbage();
        resolve(request.deref() !== undefined);
      });
      turns.add(() => {});
    });
    expect(isKept).toBe(false);
  });

  it.each([
    ['whole', 1, 10],
    ['half', 3, 2],
  ])('end when their tasks have taken the %s time of one, each %i ms, and keep the order', async (_, ms, most) => {
    let now = 0;
    const turns = new Turns(10, () => now);
    const { turn, stop } = countTurns();
    const done: { readonly task: number; readonly turn: number }[] = [];
    for (let task = 0; task < 100; task++)
      turns.add(() => {
        now += ms;
        done.push({ task, turn: turn() });
      });
    expect(done).toEqual([]);
    await turns.idle();
    stop();
    expect(done.map(({ task }) => task)).toEqual(Array.from({ length: 100 }, (_, i) => i));
    const perTurn = Map.groupBy(done, (one) => one.turn);
    expect(Math.max(...[...perTurn.values()].map((tasks) => tasks.length))).toBe(most);
  });

  it('count what a task leaves to promises and ticks', async () => {
    let now = 0;
    const turns = new Turns(10, () => now);
    const { turn, stop } = countTurns();
    const done: number[] = [];
    const work = async (): Promise<void> => {
      await turns.next();
      await Promise.resolve();
      await new Promise<void>((resolve) => process.nextTick(resolve));
      now += 6;
      done.push(turn());
    };
    await Promise.all(Array.from({ length: 50 }, work));
    stop();
    const perTurn = Map.groupBy(done, (one) => one);
    expect(Math.max(...[...perTurn.values()].map((tasks) => tasks.length))).toBeLessThanOrEqual(5);
  });

  it('take tasks again after they were idle', async () => {
    const turns = new Turns();
    const done: number[] = [];
    for (let i = 0; i < 3; i++) {
      turns.add(() => done.push(i));
      await turns.idle();
    }
    expect(done).toEqual([0, 1, 2]);
  });
});
