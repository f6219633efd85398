import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Does something in an empty folder, which is removed afterwards. */
export async function inScratchFolder(work: (folder: string) => Promise<unknown>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'lockstep-clients-'));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}
