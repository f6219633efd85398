import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/**
 * The folder that the references of a contract stay in: the repository around the contract's own folder, else the outermost
 * folder around it with a `package.json`, else its own.
 */
export function projectFolder(contract: string): string {
  const folders = [...around(resolve(contract))];
  const has = (name: string) => (folder: string) => existsSync(join(folder, name));
  return folders.find(has('.git')) ?? folders.findLast(has('package.json')) ?? folders[0]!;
}

function* around(folder: string): Generator<string> {
  yield folder;
  if (dirname(folder) !== folder) yield* around(dirname(folder));
}
