import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import type { SecretKeys } from '../src/auth/keys.ts';
import { signToken } from '../src/auth/sign-token.ts';
import { type Boot, boot, type Running } from '../src/boot.ts';
import type { CompiledContract } from '../src/compiled-contract.ts';
import { type Config, readConfig } from '../src/config.ts';
import { ConfigError } from '../src/errors/config-error.ts';
import type { AnyHandlers } from '../src/server.ts';
import { MigrationError } from '../src/storage/migration-error.ts';
import { banner, type TokenOf } from './banner.ts';
import { isEmpty, load, type Sample, type SampleCaller } from './sample.ts';

const USAGE = `Usage: npm start -- [--contracts DIR] [--handlers DIR] [--sample FILE]

  --contracts DIR  serve this contract instead of contracts/; custom operations answer 501 without --handlers
  --handlers DIR   folder whose index.ts exports \`handlers\`
  --sample FILE    module whose \`sample()\` fills an empty database (default for contracts/: samples/storefront.ts)

Settings come from environment variables; the README lists them.`;

const OWN_CONTRACTS = 'contracts';
const OWN_SAMPLE = 'samples/storefront.ts';
const TOKEN_SECONDS = 7 * 24 * 3600;

class UsageError extends Error {}

interface Options {
  readonly contracts: string | undefined;
  readonly handlers: string | undefined;
  readonly sample: string | undefined;
}

function readOptions(): Options {
  const text = { type: 'string' } as const;
  try {
    const { values } = parseArgs({ options: { contracts: text, handlers: text, sample: text } });
    const isOwn = values.contracts === undefined || resolve(values.contracts) === resolve(OWN_CONTRACTS);
    return {
      contracts: isOwn ? undefined : values.contracts,
      handlers: values.handlers,
      sample: values.sample ?? (isOwn ? OWN_SAMPLE : undefined),
    };
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n\n${USAGE}`);
  }
}

async function importFile(path: string): Promise<Record<string, unknown>> {
  const file = (await stat(path).catch(() => undefined))?.isDirectory() ? join(path, 'index.ts') : path;
  return (await import(pathToFileURL(resolve(file)).href)) as Record<string, unknown>;
}

async function ownContract(): Promise<CompiledContract> {
  const [{ default: document }, { resources }, { errorCatalogue }] = await Promise.all([
    import('../generated/openapi.json', { with: { type: 'json' } }),
    import('../generated/resources.ts'),
    import('../generated/errors.ts'),
  ]);
  return { document: document as unknown as CompiledContract['document'], resources, errors: errorCatalogue };
}

/** The compiler is loaded only when there is something to compile. */
async function compiled(folder: string): Promise<CompiledContract> {
  const { modelContract } = await import('../src/codegen/compile-contract.ts');
  const { formatFindings } = await import('../src/contract/report.ts');
  const { model, findings } = await modelContract(folder);
  if (findings.length > 0) console.error(formatFindings(findings));
  if (!model) throw new UsageError(`${folder} cannot be served.`);
  return model;
}

async function handlersFor({ contracts, handlers }: Options): Promise<AnyHandlers | undefined> {
  if (contracts !== undefined && handlers === undefined) return undefined;
  const module = await importFile(handlers ?? 'src/handlers');
  if (typeof module['handlers'] !== 'object') throw new UsageError(`${handlers} does not export \`handlers\`.`);
  return module['handlers'] as AnyHandlers;
}

async function bootOptions(options: Options, config: Config, sample: Sample | undefined): Promise<Boot> {
  const contract = options.contracts === undefined ? await ownContract() : await compiled(options.contracts);
  const handlers = await handlersFor(options);
  return {
    config,
    contract,
    ...(handlers && { handlers }),
    allowMissing: handlers === undefined,
    async prepare(store) {
      if (!sample || config.isProduction || !(await isEmpty(store, contract.resources))) return;
      const rows = await load(store, contract.resources, sample.sample());
      console.log(`Filled the database with ${rows.toLocaleString('en')} rows of sample data.`);
    },
  };
}

/** Ready-made tokens: the sample's callers, or one caller with every scope of the contract. */
async function tokensFor(
  contract: CompiledContract,
  running: Running,
  config: Config,
  sample?: Sample,
): Promise<TokenOf[]> {
  const { keys } = running;
  if (config.isProduction || keys.kind !== 'secret') return [];
  const callers: [string, SampleCaller | undefined][] = [
    ['customer', sample?.customer],
    ['admin', sample?.admin],
  ];
  const known = callers.flatMap(([name, caller]) => (caller ? [{ name, ...caller }] : []));
  const everyone = { name: 'everything', subject: randomUUID(), scope: scopesOf(contract).join(' ') };
  return Promise.all((known.length > 0 ? known : [everyone]).map((caller) => withToken(caller, keys, config)));
}

async function withToken(caller: SampleCaller & { name: string }, keys: SecretKeys, config: Config): Promise<TokenOf> {
  const scopes = caller.scope.split(' ').filter((scope) => scope !== '');
  const { jwtIssuer: issuer, jwtAudience: audience } = config;
  const claims = { subject: caller.subject, scopes, expiresInSeconds: TOKEN_SECONDS, issuer, audience };
  return { ...caller, token: await signToken(keys, claims) };
}

function scopesOf({ resources }: CompiledContract): string[] {
  const actions = resources.flatMap((resource) => Object.values(resource.actions));
  const schemes = actions.flatMap(({ access }) => access.anyOf.flatMap((requirement) => requirement.schemes));
  return [...new Set(schemes.flatMap(({ scopes }) => scopes))];
}

async function main(): Promise<void> {
  const options = readOptions();
  const config = readConfig(process.env);
  const sample = options.sample === undefined ? undefined : ((await importFile(options.sample)) as unknown as Sample);
  const boots = await bootOptions(options, config, sample);
  const running = await boot(boots);
  console.log(banner(running.url, boots.contract, await tokensFor(boots.contract, running, config, sample)));
}

main().catch((error: unknown) => {
  const isExpected = error instanceof UsageError || error instanceof ConfigError || error instanceof MigrationError;
  console.error(isExpected ? error.message : error);
  process.exitCode = 1;
});
