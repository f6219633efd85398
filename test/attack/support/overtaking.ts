import { setImmediate } from 'node:timers/promises';
import type { AttackedServer } from './attacked-server.ts';

/** Answers that a server has written. */
export interface Overtaken {
  /** Those before the last of the reads. */
  readonly ahead: number;
  /** All but the reads. */
  readonly all: number;
}

/**
 * How many of the answers that were asked for first a server has written before the last of the reads of `path`, where
 * it finds all of them at once: a server may be faster than its client. By its own order: a client may see all at once.
 * Refusals because of the load do not count: they take next to nothing, and have turns of their own.
 */
export async function aheadOf(
  server: AttackedServer,
  path: string,
  ask: () => readonly Promise<unknown>[],
  reads: () => Promise<unknown>,
): Promise<Overtaken> {
  await server.work();
  let answers: Promise<unknown> | undefined;
  await server.stoppedFor(async () => {
    answers = Promise.all([...ask(), reads()]);
    await setImmediate();
  });
  await answers;
  const { answered } = await server.work();
  const isOther = (target: string): boolean => target !== path;
  const all = answered.filter(isOther).length;
  return { all, ahead: answered.slice(0, answered.lastIndexOf(path)).filter(isOther).length };
}
