import { readFile } from 'node:fs/promises';
import type { CompiledContract } from '../descriptor/compiled-contract.ts';

/** The old versions of a generated contract; undefined when it has none. */
export async function generatedVersions(folder: URL): Promise<CompiledContract['versions']> {
  const text = await readFile(new URL('versions.json', folder), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as CompiledContract['versions']);
}
