import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Copies the code of a layer, which is written in its own language and valid as it stands, with the names of a package in
 * place of those that it was written with. `folder`: of the layer's files.
 */
export async function copyLayer(folder: URL, target: string, names: Readonly<Record<string, string>>): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true });
  for (const { name } of entries.filter((entry) => entry.isFile())) {
    const text = await readFile(new URL(name, folder), 'utf8');
    const named = Object.entries(names).reduce((all, [from, to]) => all.replaceAll(from, to), text);
    await writeText(join(target, name), named);
  }
}

export async function writeText(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
