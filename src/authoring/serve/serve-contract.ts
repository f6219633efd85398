import { basePathOf } from '../../descriptor/base-path.ts';
import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import { ConfigError } from '../../descriptor/config-error.ts';
import type { Claims } from '../../runtime/auth/index.ts';
import { boot } from '../../runtime/boot.ts';
import type { ReportFailure } from '../../runtime/errors/index.ts';
import { readConfig } from '../../runtime/settings/index.ts';
import type { Store } from '../../runtime/storage/index.ts';
import { explainFailure } from '../../tools/explain-failure.ts';
import { isEmpty, load, type Sample } from '../../tools/sample.ts';
import { contractFor, handlersFor, importFile } from '../../tools/served-contract.ts';
import { OWN_CONTRACTS, type StartOptions } from '../../tools/start-options.ts';
import { databaseFor } from '../start/database-for.ts';
import type { ReadyToken } from '../start/ready-tokens.ts';
import { contractSite } from './contract-site.ts';

async function fill(store: Store, { resources }: CompiledContract, sample: Sample): Promise<void> {
  if (!(await isEmpty(store, resources))) return;
  const rows = await load(store, resources, sample.sample());
  console.log(`Filled the database with ${rows.toLocaleString('en')} rows of sample data.`);
}

/** What `npm run dev` adds. */
export interface Development {
  /** As it has been compiled. */
  readonly contract: CompiledContract;
  readonly reportFailure: ReportFailure;
}

/** The tokens and calls for a developer, or the reason why they are missing. */
async function developmentAid(): Promise<typeof import('./development-aid.ts') | string> {
  try {
    return await import('./development-aid.ts');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    return String(explainFailure(error));
  }
}

/** Serves a contract as the options say; resolves once it does, with the banner for the developer, in production with none. */
export async function serveContract(options: StartOptions, development?: Development): Promise<string | undefined> {
  const config = databaseFor(options, readConfig(process.env));
  if (config.workers > 1)
    throw new ConfigError([
      'WORKERS: `npm start` and `npm run dev` serve with one process; `node src/main.ts` starts several.',
    ]);
  const contract = development?.contract ?? (await contractFor(options));
  const handlers = await handlersFor(options);
  const { sample: path } = options;
  const sample = path === undefined ? undefined : await importFile<Sample>(path);
  const loaded = config.isProduction ? '' : await developmentAid();
  const aid = typeof loaded === 'string' ? undefined : loaded;
  let origin: string | undefined;
  let tokens: readonly ReadyToken[] = [];
  let tenant: Claims = {};
  const site = contractSite({
    contracts: options.contracts ?? OWN_CONTRACTS,
    hasGraphiql: config.graphiql,
    origin: () => origin,
    callers: () => (aid ? tokens.map(aid.siteCaller) : []),
  });
  const { url, keys } = await boot({
    config,
    contract,
    ...(!config.isProduction && { site }),
    ...(handlers && { handlers }),
    ...(development && !config.isProduction && { reportFailure: development.reportFailure }),
    graphiqlHeaders: () => aid?.graphiqlHeaders(tokens),
    allowMissing: handlers === undefined,
    prepare: async (store) => {
      if (config.isProduction) return;
      if (sample) await fill(store, contract, sample);
      if (aid) tenant = await aid.claimsOfTenant(store, contract);
    },
  });
  if (config.isProduction) return undefined;
  origin = url;
  if (!aid) {
    const { title, version } = contract.document.info;
    return `\n${title} ${version} is served at ${url}${basePathOf(contract.document)}\n${loaded}\nCtrl-C stops it.`;
  }
  tokens = aid.readyTokens(contract, keys, config, sample, tenant);
  const canSign = keys.kind === 'secret';
  return aid.banner({ url, contract, tokens, handlers, canSign, hasGraphiql: config.graphiql });
}
