import { join } from 'node:path';
import { modelContract } from '../../compiler/compile-contract.ts';
import { replaceFile } from '../../compiler/emit/output-folder.ts';
import { formatFindings } from '../../compiler/findings/report.ts';
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

/** Writes the documentation of a contract. Resolves with the exit code: 1 when the contract has errors. */
export async function writeDocs({ contracts, out, url }: DocsOptions): Promise<number> {
  const { model, parity, findings } = await modelContract(contracts);
  const errors = findings.filter(({ severity }) => severity === 'error');
  if (!model) {
    console.error(formatFindings(errors, { colour: process.stderr.isTTY }));
    return 1;
  }
  const files = await buildSite({
    model,
    parity,
    contracts,
    replaced: await replacedIn(contracts),
    origin: url?.replace(/\/+$/, ''),
  });
  for (const [path, text] of files) await replaceFile(join(out, path), text);
  console.log(`Wrote ${out}/: ${files.size} files; open ${out}/index.html.`);
  return 0;
}
