import type { AttackedServer } from './attacked-server.ts';

/**
 * How many of the answers that were asked for first a server has written before the last of the reads of `path`. By its
 * own order: a client may see all of them at once.
 */
export async function aheadOf(
  server: AttackedServer,
  path: string,
  ask: () => readonly Promise<unknown>[],
  reads: () => Promise<unknown>,
): Promise<number> {
  await server.work();
  const asked = ask();
  await reads();
  await Promise.all(asked);
  const { answered } = await server.work();
  return answered.slice(0, answered.lastIndexOf(path)).filter((target) => target !== path).length;
}
