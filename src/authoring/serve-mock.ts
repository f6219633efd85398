import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { boot } from '../runtime/boot.ts';
import { readConfig } from '../runtime/settings/index.ts';
import { load } from '../tools/sample.ts';
import { contractFor } from '../tools/served-contract.ts';
import { OWN_CONTRACTS } from '../tools/start-options.ts';
import { mockHandlers } from './mock/mock-handlers.ts';
import { mockSample } from './mock/mock-sample.ts';
import { applyPreferences } from './mock/preferences.ts';
import { contractSite } from './serve/contract-site.ts';
import { banner } from './start/banner.ts';
import { graphiqlHeaders, otherTokens, type ReadyToken, readyTokens, siteCaller } from './start/ready-tokens.ts';

export interface MockOptions {
  /** Folder of the contract; undefined: the generated one. */
  readonly contracts?: string | undefined;
  readonly seed: number;
  /** Rows of each resource that belongs to no other. */
  readonly rows: number;
}

/** Serves a contract on made-up rows, in a database that is removed when the process exits. */
export async function serveMock({ contracts, seed, rows }: MockOptions): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'lockstep-mock-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const settings = readConfig({ DATA_DIR: folder, ...process.env });
  // What is made up is checked where it is made; what meets no schema of an ambiguous document is better than nothing.
  const database = { kind: 'sqlite', file: join(folder, 'mock.db') } as const;
  const config = { ...settings, database, checkResponses: false };
  const contract = await contractFor({ contracts, handlers: undefined, sample: undefined });
  const handlers = mockHandlers(contract, seed);
  const sample = mockSample({ contract, seed, rows });
  let origin: string | undefined;
  let tokens: readonly ReadyToken[] = [];
  let others: readonly ReadyToken[] = [];
  const site = contractSite({
    contracts: contracts ?? OWN_CONTRACTS,
    hasGraphiql: config.graphiql,
    origin: () => origin,
    callers: () => [...others, ...tokens].map(siteCaller),
  });
  const { url, keys } = await boot({
    config,
    contract,
    handlers,
    site,
    graphiqlHeaders: () => graphiqlHeaders(tokens),
    allowMissing: true,
    prepareApp: (app) => applyPreferences(app, contract),
    prepare: async (store) => {
      const count = await load(store, contract.resources, sample.sample());
      console.log(`Made ${count.toLocaleString('en')} rows from the contract (seed ${seed}).`);
    },
  });
  origin = url;
  tokens = readyTokens(contract, keys, config, sample);
  others = otherTokens(contract, keys, config, sample);
  console.log(banner({ url, contract, tokens, others, handlers, canSign: false, hasGraphiql: config.graphiql }));
}
