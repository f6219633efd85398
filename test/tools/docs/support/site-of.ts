import { modelContract } from '../../../../src/compiler/compile-contract.ts';
import { buildSite, type SiteFiles } from '../../../../src/tools/docs/build-site.ts';
import type { SiteCaller } from '../../../../src/tools/docs/rest/rest-page.ts';

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
  return buildSite({ model: model!, parity, contracts, ...settings });
}
