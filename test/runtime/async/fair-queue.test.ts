import { describe, expect, it } from 'vitest';
import { FairQueue } from '../../../src/runtime/async/fair-queue.ts';

function queueOf(...items: readonly string[]): FairQueue<string> {
  const queue = new FairQueue<string>();
  for (const item of items) queue.add(item[0]!, item);
  return queue;
}

function takeAll(queue: FairQueue<string>): readonly string[] {
  const taken: string[] = [];
  for (let item = queue.take(); item !== undefined; item = queue.take()) taken.push(item);
  return taken;
}

describe('a queue that is fair to callers', () => {
  it('gives one item of each caller in turn, each in the order in which they were added', () => {
    expect(takeAll(queueOf('a1', 'a2', 'a3', 'b1', 'c1', 'c2'))).toEqual(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
  });

  it('lets a caller who comes later wait for one item of each other at most', () => {
    const queue = queueOf('a1', 'a2', 'a3', 'b1', 'b2');
    expect(queue.take()).toBe('a1');
    queue.add('c', 'c1');
    expect(takeAll(queue)).toEqual(['b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('gives a caller whose last item was taken no turn before those who wait', () => {
    const queue = queueOf('a1', 'b1', 'b2');
    expect(queue.take()).toBe('a1');
    queue.add('a', 'a2');
    expect(takeAll(queue)).toEqual(['b1', 'a2', 'b2']);
  });

  it('lets a caller who comes while the only other one is served be the next', () => {
    const queue = queueOf('a1', 'a2', 'a3');
    expect(queue.take()).toBe('a1');
    queue.add('b', 'b1');
    queue.add('c', 'c1');
    expect(takeAll(queue)).toEqual(['b1', 'c1', 'a2', 'a3']);
  });

  it('passes over what is not accepted, which keeps its place', () => {
    const queue = queueOf('a1', 'a2', 'b1');
    expect(queue.take((item) => item !== 'a1')).toBe('a2');
    expect(queue.take((item) => item === 'none')).toBeUndefined();
    expect(takeAll(queue)).toEqual(['b1', 'a1']);
  });

  it('counts what waits, of all and of each', () => {
    const queue = queueOf('a1', 'a2', 'b1');
    queue.take();
    expect([queue.size, queue.sizeOf('a'), queue.sizeOf('b'), queue.sizeOf('c')]).toEqual([2, 1, 1, 0]);
    takeAll(queue);
    expect([queue.size, queue.sizeOf('a')]).toEqual([0, 0]);
  });

  it('forgets what is removed', () => {
    const queue = queueOf('a1', 'a2', 'b1');
    expect([
      queue.remove('a', 'a2'),
      queue.remove('b', 'b1'),
      queue.remove('b', 'b1'),
      queue.remove('c', 'c1'),
    ]).toEqual([...[true, true, false, false]]);
    expect([queue.size, takeAll(queue)]).toEqual([1, ['a1']]);
  });
});
