import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { builtPackage } from '../../support/package.ts';

const root = join(import.meta.dirname, '..', '..', '..');

/**
 * Puts the package into the `node_modules` of a folder, and lends it the other packages of this repository: as npm would install
 * it, without the minute that this takes. Resolves with the path of its command.
 */
export async function installLockstep(folder: string): Promise<string> {
  const modules = join(folder, 'node_modules');
  await mkdir(modules);
  const own = join(modules, 'lockstep');
  await cp((await builtPackage()).folder, own, { recursive: true });
  const others = (await readdir(join(root, 'node_modules'))).filter(
    (name) => !name.startsWith('.') && name !== 'lockstep',
  );
  for (const name of others) await symlink(join(root, 'node_modules', name), join(modules, name));
  return join(own, 'bin/lockstep.js');
}

/** A text to replace, once, and what by. */
export type Edit = readonly [from: string | RegExp, to: string];

/** Edits a file. Throws when a text is not there. */
export async function edited(path: string, edits: readonly Edit[]): Promise<void> {
  let text = await readFile(path, 'utf8');
  for (const [from, to] of edits) {
    const changed = text.replace(from, to);
    if (changed === text) throw new Error(`no ${from} in ${path}:\n${text}`);
    text = changed;
  }
  await writeFile(path, text);
}
