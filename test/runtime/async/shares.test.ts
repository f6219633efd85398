import { describe, expect, it } from 'vitest';
import { Shares } from '../../../src/runtime/async/shares.ts';

describe('shares', () => {
  it('leave some for whoever comes next', () => {
    const shares = new Shares(100);
    const held = (caller: string): number => {
      let count = 0;
      while (shares.take(caller, 1)) count++;
      return count;
    };
    expect([held('a'), held('b'), held('c'), held('a')]).toEqual([50, 25, 13, 0]);
  });

  it('are given back once', () => {
    const shares = new Shares(100);
    const giveBack = shares.take('a', 50)!;
    expect(shares.take('b', 51)).toBeUndefined();
    giveBack();
    giveBack();
    expect(shares.take('b', 60)).toBeDefined();
    expect(shares.take('a', 41)).toBeUndefined();
    expect(shares.take('a', 40)).toBeDefined();
  });
});
