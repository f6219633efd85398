import { basename, join, resolve } from 'node:path';
import { boot } from '../src/boot.ts';
import type { CompiledContract } from '../src/compiled-contract.ts';
import { type Config, readConfig } from '../src/config.ts';
import { ConfigError } from '../src/errors/config-error.ts';
import { HandlerError } from '../src/errors/handler-error.ts';
import { MigrationError } from '../src/storage/migration-error.ts';
import type { Store } from '../src/storage/store.ts';
import { banner } from './banner.ts';
import { readyTokens } from './ready-tokens.ts';
import { isEmpty, load, type Sample } from './sample.ts';
import { contractFor, handlersFor, importFile } from './served-contract.ts';
import { readOptions, type StartOptions, UsageError } from './start-options.ts';

/** Another contract's rows live in a file of their own, unless a setting says where. */
function databaseFor({ contracts }: StartOptions, config: Config): Config {
  if (contracts === undefined || process.env['DATABASE_URL']) return config;
  const name = basename(resolve(contracts)).replace(/[^\w-]/g, '_');
  return { ...config, databaseFile: join(config.dataDir, `${name}.db`) };
}

async function fill(store: Store, { resources }: CompiledContract, sample: Sample): Promise<void> {
  if (!(await isEmpty(store, resources))) return;
  const rows = await load(store, resources, sample.sample());
  console.log(`Filled the database with ${rows.toLocaleString('en')} rows of sample data.`);
}

async function start(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  const config = databaseFor(options, readConfig(process.env));
  const contract = await contractFor(options);
  const handlers = await handlersFor(options);
  const { sample: path } = options;
  const sample = path === undefined ? undefined : ((await importFile(path)) as unknown as Sample);
  const { url, keys } = await boot({
    config,
    contract,
    ...(handlers && { handlers }),
    allowMissing: handlers === undefined,
    prepare: async (store) => {
      if (sample && !config.isProduction) await fill(store, contract, sample);
    },
  });
  console.log(banner(url, contract, await readyTokens(contract, keys, config, sample)));
}

/** Errors whose message says all that there is to say. */
const EXPLAINED = [UsageError, ConfigError, HandlerError, MigrationError];

/** Faults of whoever starts the server are told in a line; all others with their stack. */
function explain(error: unknown): unknown {
  if (EXPLAINED.some((kind) => error instanceof kind)) return (error as Error).message;
  const { code, address, port } = error as { code?: string; address?: string; port?: number };
  if (code === 'EADDRINUSE') return `Something already listens on ${address}:${port}; set PORT to another.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `HOST: this machine has no address ${address ?? ''}.`;
  if (code === 'EACCES' && port !== undefined) return `PORT ${port} may not be listened on; set PORT to another.`;
  return error;
}

start().catch((error: unknown) => {
  console.error(explain(error));
  process.exit(1);
});
