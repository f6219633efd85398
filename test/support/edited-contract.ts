import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { modelContract } from '../../src/compiler/compile-contract.ts';
import type { CompiledContract } from '../../src/descriptor/compiled-contract.ts';
import { withFolder } from './folder.ts';

/** What stands in a file, and what replaces each occurrence of it: in place of a pattern, `$1` names a group, and `$$` is a dollar sign. */
export type Edit = readonly [file: string, text: string | RegExp, by: string];

/** A contract of `test/fixtures` after some edits. Throws when an edit changes nothing, or the contract has errors. */
export function editedContract(fixture: string, edits: readonly Edit[]): Promise<CompiledContract> {
  return editedFolder(fixture, edits, async (folder) => {
    const { model, findings } = await modelContract(folder);
    if (!model) throw new Error(findings.map(({ message }) => message).join('\n'));
    return model;
  });
}

/** Reads the folder of a contract of `test/fixtures` after some edits. Throws when an edit changes nothing. */
export async function editedFolder<T>(
  fixture: string,
  edits: readonly Edit[],
  read: (folder: string) => Promise<T>,
): Promise<T> {
  const source = join(import.meta.dirname, '../fixtures', fixture);
  const files: Record<string, string> = {};
  for (const name of await readdir(source)) files[name] = await readFile(join(source, name), 'utf8');
  for (const [file, text, by] of edits) {
    const edited =
      typeof text === 'string' ? files[file]!.replaceAll(text, () => by) : files[file]!.replaceAll(text, by);
    if (edited === files[file]) throw new Error(`${file} has no ${text}`);
    files[file] = edited;
  }
  return withFolder(files, read);
}
