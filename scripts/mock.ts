import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { boot } from '../src/runtime/boot.ts';
import { readConfig } from '../src/runtime/settings/config.ts';
import { explainFailure } from '../src/tools/command/explain-failure.ts';
import { OWN_CONTRACTS, UsageError } from '../src/tools/command/start-options.ts';
import { mockHandlers } from '../src/tools/mock/mock-handlers.ts';
import { mockSample } from '../src/tools/mock/mock-sample.ts';
import { applyPreferences } from '../src/tools/mock/preferences.ts';
import { banner } from '../src/tools/start/banner.ts';
import { contractSite } from '../src/tools/start/contract-site.ts';
import { readyTokens } from '../src/tools/start/ready-tokens.ts';
import { load } from '../src/tools/start/sample.ts';
import { contractFor } from '../src/tools/start/served-contract.ts';

const USAGE = `Usage: npm run mock -- [--contracts DIR] [--seed N] [--rows N]

Serves a contract with data made from it: the real server, with every rule of the contract and no code, on a database
that ends with it. Custom operations answer what their schemas describe.

  --contracts DIR  the contract (default: what is generated from contracts/)
  --seed N         the same rows for the same number (default: 1)
  --rows N         rows of each resource that belongs to no other (default: 25)

  Prefer: code=NOT_FOUND, or code=404   answers an error that the operation declares
  Prefer: delay=500                     answers after so many milliseconds

Settings come from environment variables, as those of \`npm start\`.`;

interface MockOptions {
  readonly contracts: string | undefined;
  readonly seed: number;
  readonly rows: number;
}

function readOptions(): MockOptions | undefined {
  const text = { type: 'string' } as const;
  const options = { contracts: text, seed: text, rows: text, help: { type: 'boolean' } } as const;
  try {
    const { contracts, seed = '1', rows = '25', help } = parseArgs({ options }).values;
    return help ? undefined : { contracts, seed: wholeNumber('--seed', seed), rows: wholeNumber('--rows', rows) };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${(error as Error).message}\n\n${USAGE}`);
  }
}

function wholeNumber(flag: string, text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new UsageError(`${flag}: ${text} is no number from 0 to 999999`);
  return Number(text);
}

async function start({ contracts, seed, rows }: MockOptions): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'lockstep-mock-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const settings = readConfig({ DATA_DIR: folder, ...process.env });
  const config = { ...settings, database: { kind: 'sqlite', file: join(folder, 'mock.db') } } as const;
  const contract = await contractFor({ contracts, handlers: undefined, sample: undefined });
  const handlers = mockHandlers(contract, seed);
  const sample = mockSample({ contract, seed, rows });
  let origin: string | undefined;
  const site = contractSite({
    contracts: contracts ?? OWN_CONTRACTS,
    hasGraphiql: config.graphiql,
    origin: () => origin,
  });
  const { url, keys } = await boot({
    config,
    contract,
    handlers,
    site,
    allowMissing: true,
    prepareApp: (app) => applyPreferences(app, contract),
    prepare: async (store) => {
      const count = await load(store, contract.resources, sample.sample());
      console.log(`Made ${count.toLocaleString('en')} rows from the contract (seed ${seed}).`);
    },
  });
  origin = url;
  const tokens = readyTokens(contract, keys, config, sample);
  console.log(banner({ url, contract, tokens, handlers, canSign: false, hasSite: true, hasGraphiql: config.graphiql }));
}

try {
  const options = readOptions();
  if (options) await start(options);
  else console.log(USAGE);
} catch (error) {
  console.error(explainFailure(error));
  process.exit(1);
}
