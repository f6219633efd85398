import { describe, expect, it } from 'vitest';
import { RowOrder } from '../../../src/runtime/engine/events/row-order.ts';

describe('places among the changes of one row', () => {
  it('are published in their order, however many wait for the first', () => {
    const order = new RowOrder();
    const published: number[] = [];
    const places = Array.from({ length: 20_000 }, () => order.place());
    for (const place of places) place.add('row');
    for (const [n, place] of places.entries()) if (n > 0) expect(place.end(() => published.push(n))).toBe(false);
    expect(places[0]!.end(() => published.push(0))).toBe(true);
    expect(published).toEqual(places.map((_place, n) => n));
  });

  it('go on behind one that fails', () => {
    const order = new RowOrder();
    const [first, second] = [order.place(), order.place()];
    for (const place of [first, second]) place.add('row');
    let isPublished = false;
    second.end(() => {
      isPublished = true;
    });
    expect(() =>
      first.end(() => {
        throw new Error('no');
      }),
    ).toThrow('no');
    expect(isPublished).toBe(true);
  });

  it('do not wait for one that has come behind them', () => {
    const order = new RowOrder();
    const [first, second] = [order.place(), order.place()];
    for (const place of [first, second, first]) place.add('row');
    expect(first.end()).toBe(true);
    expect(second.end()).toBe(true);
  });
});
