import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { untilAborted } from '../../../src/runtime/async/until-aborted.ts';

it('work settles as it ends, or with the reason of an end, and leaves no listener behind', async () => {
  const ending = new AbortController();
  const { signal } = ending;
  const listeners = () => getEventListeners(signal, 'abort').length;
  const work = Promise.withResolvers<string>();
  const waiting = untilAborted(work.promise, signal);
  expect(listeners()).toBe(1);
  work.resolve('done');
  expect(await waiting).toBe('done');
  await expect(untilAborted(Promise.reject(new Error('no')), signal)).rejects.toThrow('no');
  await null;
  expect(listeners()).toBe(0);
  const stopped = untilAborted(Promise.withResolvers().promise, signal);
  ending.abort(new Error('over'));
  await expect(stopped).rejects.toThrow('over');
  await expect(untilAborted(Promise.withResolvers().promise, signal)).rejects.toThrow('over');
  expect(listeners()).toBe(0);
});
