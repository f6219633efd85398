import { join } from 'node:path';
import { soundContract } from '../../compiler/compile-contract.ts';
import { replaceFile } from '../../compiler/emit/output-folder.ts';
import { replacedIn } from '../handlers/replaced-entries.ts';
import { buildSite } from './build-site.ts';

export interface DocsOptions {
  /** Folder of the contract. */
  readonly contracts: string;
  /** Folder to write. */
  readonly out: string;
  /** Where callers reach the API, without its path; undefined: as the contract says. */
  readonly url?: string | undefined;
}

/** Writes the documentation of a contract. Throws `ConfigError` when it has errors. */
export async function writeDocs({ contracts, out, url }: DocsOptions): Promise<void> {
  const { model, parity } = await soundContract(contracts, process.stderr.isTTY);
  const files = await buildSite({
    model,
    parity,
    contracts,
    replaced: await replacedIn(contracts),
    origin: url?.replace(/\/+$/, ''),
  });
  for (const [path, text] of files) await replaceFile(join(out, path), text);
  console.log(`Wrote ${out}/: ${files.size} files; open ${out}/index.html.`);
}
