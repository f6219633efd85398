import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
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

/** What compresses well, and is asked for by everybody. */
const SHARED = /^docs\/assets\/.*\.(?:js|css)$/;

/** Writes the documentation of a contract, what all pages load as Brotli, too. Throws `ConfigError` when it has errors. */
export async function writeDocs({ contracts, out, url }: DocsOptions): Promise<void> {
  const { model, parity } = await soundContract(contracts, process.stderr.isTTY);
  const files = await buildSite({
    model,
    parity,
    contracts,
    replaced: await replacedIn(contracts),
    origin: url?.replace(/\/+$/, ''),
  });
  for (const [path, file] of files) {
    const content = typeof file === 'function' ? await file() : file;
    await replaceFile(join(out, path), content);
    if (SHARED.test(path))
      await replaceFile(
        join(out, `${path}.br`),
        await promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
      );
  }
  console.log(`Wrote ${out}/: ${files.size} files; open ${out}/index.html.`);
}
