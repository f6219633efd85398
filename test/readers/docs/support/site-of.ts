import { modelContract } from '../../../../src/compiler/compile-contract.ts';
import { buildSite } from '../../../../src/readers/build-site.ts';
import type { SiteCaller } from '../../../../src/readers/docs/console/console-page.ts';
import { contentAt, type SiteContent } from '../../../../src/runtime/site/site.ts';

/** Everything that a site has, made. */
export type SiteFiles = ReadonlyMap<string, SiteContent>;

interface SiteSettings {
  readonly callers?: readonly SiteCaller[];
  readonly hasGraphiql?: boolean;
  readonly origin?: string;
}

const built = new Map<string, Promise<SiteFiles>>();

/** The site of contracts. Each is built once, whatever is asked of it. */
export function siteOf(contracts: string, settings: SiteSettings = {}): Promise<SiteFiles> {
  const key = JSON.stringify([contracts, settings]);
  const known = built.get(key) ?? build(contracts, settings);
  built.set(key, known);
  return known;
}

async function build(contracts: string, settings: SiteSettings): Promise<SiteFiles> {
  const { model, parity } = await modelContract(contracts);
  const files = await buildSite({ model: model!, parity, contracts, ...settings });
  const made = new Map<string, SiteContent>();
  for (const path of files.keys()) made.set(path, (await contentAt(files, path))!);
  return made;
}
