import cluster from 'node:cluster';
import { afterEach, expect, it, vi } from 'vitest';
import { forkWorker } from '../../../src/runtime/workers/cluster-processes.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

it('a process that the system has no room for is one that ends', async () => {
  vi.spyOn(cluster, 'fork').mockImplementation(() => {
    throw new Error('spawn ENOMEM');
  });
  const worker = forkWorker(0, {});
  expect(worker.pid).toBeUndefined();
  worker.send([{ kind: 'serve' }]);
  worker.kill();
  const ended = new Promise((resolve) => worker.onEnd((how, isClean) => resolve({ how, isClean })));
  expect(await ended).toEqual({ how: 'spawn ENOMEM', isClean: false });
});
