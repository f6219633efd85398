import { expect, test } from 'vitest';
import { BodiesUnderWay } from '../../../src/runtime/http/bodies-under-way.ts';

const MIB = 2 ** 20;

test('workers divide the bodies of an instance that are on their way', () => {
  const bodies = new BodiesUnderWay({ workers: 4, maxBodyBytes: MIB });
  const takes = (address: string, bytes: number) => bodies.begin(address, bytes) !== undefined;
  expect([takes('a', 8 * MIB), takes('a', 1), takes('b', 4 * MIB)]).toEqual([true, false, true]);
  const small = new BodiesUnderWay({ workers: 4, maxBodyBytes: MIB });
  expect(Array.from({ length: 17 }, () => small.begin('a', 1)).filter(Boolean)).toHaveLength(16);
});

test('a worker has room for the largest body in any case', () => {
  expect(new BodiesUnderWay({ workers: 4, maxBodyBytes: 32 * MIB }).begin('a', 32 * MIB)).toBeDefined();
});

test('a body makes room for more once its operation is known, or gives back what it had', () => {
  const bodies = new BodiesUnderWay({ workers: 1, maxBodyBytes: MIB });
  const whole = bodies.begin('a', MIB)!;
  expect([whole.widen(64 * MIB), bodies.begin('b', 1)]).toEqual([true, undefined]);
  whole.worked();
  expect(bodies.begin('b', 1)).toBeUndefined();
  whole.leave();
  const small = bodies.begin('b', MIB)!;
  expect(small.widen(MIB)).toBe(true);
  const refused = bodies.begin('a', MIB)!;
  expect(refused.widen(64 * MIB)).toBe(false);
  small.worked();
  refused.leave();
  expect(bodies.begin('c', 64 * MIB)).toBeDefined();
});
