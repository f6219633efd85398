import { readdir, readFile, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { soundContract } from '../compiler/compile-contract.ts';
import { replaceFile } from '../compiler/emit/folder/index.ts';
import { GENERATOR } from '../compiler/sdl/index.ts';
import { contentOf, type MakeContent, type SiteContent } from '../runtime/site/index.ts';
import { keptFiles } from '../tools/kept-files.ts';
import { replacedIn } from '../tools/replaced-entries.ts';
import { buildSite, type SiteSource } from './build-site.ts';

export interface DocsOptions {
  /** Folder of the contract. */
  readonly contracts: string;
  /** Folder to write. */
  readonly out: string;
  /** Where callers reach the API, without its path; undefined: as the contract says. */
  readonly url?: string | undefined;
  readonly serveSamples?: SiteSource['serveSamples'];
}

/** What compresses well, and is asked for by everybody. */
const SHARED = /^docs\/assets\/.*\.(?:js|css)$/;

const AT_ONCE = 32;

/** Writes the documentation of a contract, what all pages load as Brotli, too. Throws `ConfigError` when it has errors. */
export async function writeDocs({ contracts, out, url, serveSamples }: DocsOptions): Promise<void> {
  const keep = keptFiles();
  const { model, parity } = await soundContract(contracts, process.stderr.isTTY, undefined, keep);
  const files = await buildSite({
    model,
    parity,
    contracts,
    replaced: await replacedIn(contracts, model),
    origin: url?.replace(/\/+$/, ''),
    serveSamples,
    keep,
  });
  const isOurs = await isSite(out);
  const written = new Set<string>();
  const write = async (path: string, content: string | Buffer): Promise<void> => {
    written.add(path);
    await replaceFile(join(out, path), content);
  };
  const compressed: Promise<void>[] = [];
  const compress = async (path: string, content: string | Buffer): Promise<void> => {
    const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
    await write(`${path}.br`, await promisify(brotliCompress)(content, { params }));
  };
  const make = async ([path, file]: readonly [string, SiteContent | MakeContent]): Promise<void> => {
    const content = await contentOf(file);
    await write(path, content);
    if (SHARED.test(path)) compressed.push(compress(path, content));
  };
  // What is compressed, for seconds, comes first; while some files are written, others are made.
  const isShared = ([path]: readonly [string, unknown]): number => Number(SHARED.test(path));
  const entries = [...files].toSorted((a, b) => isShared(b) - isShared(a));
  for (let at = 0; at < entries.length; at += AT_ONCE) await Promise.all(entries.slice(at, at + AT_ONCE).map(make));
  await Promise.all(compressed);
  if (isOurs) await removeOthers(out, written);
  console.log(`Wrote ${out}/: ${files.size} files; open ${out}/index.html.`);
}

/** Whether a folder holds a site that was written before: nothing else is removed. */
async function isSite(out: string): Promise<boolean> {
  const page = await readFile(join(out, 'index.html'), 'utf8').catch(() => '');
  return page.includes(GENERATOR);
}

/** Removes pages and assets of what has gone. */
async function removeOthers(out: string, written: ReadonlySet<string>): Promise<void> {
  for (const folder of ['docs', 'errors']) {
    const entries = await readdir(join(out, folder), { recursive: true, withFileTypes: true });
    for (const entry of entries.filter((one) => one.isFile())) {
      const path = relative(out, join(entry.parentPath, entry.name)).replaceAll('\\', '/');
      if (!written.has(path)) await rm(join(out, path));
    }
  }
}
