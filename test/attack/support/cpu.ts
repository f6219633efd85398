import type { AttackedServer } from './attacked-server.ts';

const BATCHES = 3;

/** The least of some batches: what else the machine does adds to a batch, and takes nothing from it. */
async function least(batch: () => Promise<number>): Promise<number> {
  const all: number[] = [];
  for (let i = 0; i < BATCHES; i++) all.push(await batch());
  return Math.min(...all);
}

/** Milliseconds of CPU that one call takes in this thread. */
export function cpuHere(call: () => unknown, calls = 5): Promise<number> {
  return least(async () => {
    const begun = process.threadCpuUsage();
    for (let i = 0; i < calls; i++) call();
    const { user, system } = process.threadCpuUsage(begun);
    return (user + system) / 1e3 / calls;
  });
}

/** Milliseconds of CPU that one of a server's answers takes in its main thread. */
export async function cpuThere(server: AttackedServer, ask: () => Promise<unknown>, asks = 2): Promise<number> {
  await ask();
  return least(async () => {
    await server.work();
    for (let i = 0; i < asks; i++) await ask();
    const { mainMs } = await server.work();
    return mainMs / asks;
  });
}
