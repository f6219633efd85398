import { expect, it } from 'vitest';
import { Ending } from '../../../src/runtime/async/ending.ts';

it('work settles as it does by itself, or with the reason of an end', async () => {
  const ending = new Ending();
  expect(await ending.until(Promise.resolve('done'))).toBe('done');
  await expect(ending.until(Promise.reject(new Error('no')))).rejects.toThrow('no');
  const waiting = [1, 2].map(() => ending.until(Promise.withResolvers().promise));
  ending.abort(new Error('over'));
  ending.abort(new Error('over again'));
  for (const one of waiting) await expect(one).rejects.toThrow('over');
  await expect(ending.until(Promise.resolve('late'))).rejects.toThrow('over');
});

it('the signal says so, whether it is read before or afterwards', () => {
  const [early, late] = [new Ending(), new Ending()];
  const { signal } = early;
  expect(signal.aborted).toBe(false);
  for (const ending of [early, late]) {
    ending.abort('over');
    expect(ending.signal).toMatchObject({ aborted: true, reason: 'over' });
  }
});
