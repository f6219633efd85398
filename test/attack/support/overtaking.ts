import { setImmediate } from 'node:timers/promises';
import type { AttackedServer } from './attacked-server.ts';

/**
 * How many of the answers that were asked for first a server has written before the last of the reads of `path`, where
 * it finds all of them at once: a server may be faster than its client. By its own order: a client may see all at once.
 */
export async function aheadOf(
  server: AttackedServer,
  path: string,
  ask: () => readonly Promise<unknown>[],
  reads: () => Promise<unknown>,
): Promise<number> {
  await server.work();
  let answers: Promise<unknown> | undefined;
  await server.stoppedFor(async () => {
    answers = Promise.all([...ask(), reads()]);
    await setImmediate();
  });
  await answers;
  const { answered } = await server.work();
  return answered.slice(0, answered.lastIndexOf(path)).filter((target) => target !== path).length;
}
