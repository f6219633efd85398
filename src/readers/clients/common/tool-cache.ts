import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where generators are kept from one run to the next: the user's cache, outside of any project. */
const toolCache = (name: string): string =>
  join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'lockstep', 'clients', name);

/**
 * The folder of a tool in the user's cache, which the first run makes. Runs at the same time make one each, of which one is kept: none sees
 * what another has half made. `name` distinguishes it from others, of another version, too. Throws what `make` throws.
 */
export async function keptTool(name: string, make: (folder: string) => Promise<unknown>): Promise<string> {
  const tools = toolCache(name);
  const kept = join(tools, 'complete');
  const known = await readFile(kept, 'utf8').catch(() => undefined);
  if (known !== undefined) return join(tools, known);
  const own = randomUUID();
  const folder = join(tools, own);
  await mkdir(folder, { recursive: true });
  try {
    await make(folder);
    await writeFile(join(folder, 'complete'), own);
    await rename(join(folder, 'complete'), kept);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  return folder;
}
