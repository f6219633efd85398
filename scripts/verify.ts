import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import type { CompiledContract } from '../src/descriptor/compiled-contract.ts';
import { developmentKeys, hasDevelopmentKeys } from '../src/runtime/auth/development-key.ts';
import { type SecretKeys, secretKeys } from '../src/runtime/auth/keys.ts';
import { readConfig } from '../src/runtime/settings/config.ts';
import { httpUrl } from '../src/runtime/settings/setting-kinds.ts';
import { explainFailure } from '../src/tools/command/explain-failure.ts';
import { UsageError } from '../src/tools/command/start-options.ts';
import { helpIfAsked } from '../src/tools/command/usage.ts';
import { contractFor } from '../src/tools/start/served-contract.ts';
import { type Callers, callersOfTokens, signedCallers } from '../src/tools/verify/callers.ts';
import { type Finding, verify } from '../src/tools/verify/verify.ts';

const USAGE = `Usage: npm run verify -- --url URL [--contracts DIR] [--token JWT] [--other-token JWT] [--runs N] [--seed N]

Holds a running server against a contract: plays random sequences of what clients may do, over REST and GraphQL, and tells
whatever deviates by the fewest requests that show it, as lines for a shell. It creates, changes and deletes rows of its
own; let it loose on a server that is there for tests. Exits with 1 when the server deviates.

  --url URL          the server; with a path, where the API is (default: the path of the contract)
  --contracts DIR    the contract (default: what is generated from contracts/)
  --token JWT        whose rows it makes; without it, tokens are signed with JWT_SECRET, or with the development key of DATA_DIR
  --other-token JWT  another caller with the same scopes, to see who sees what
  --runs N           sequences that are tried (default: 100)
  --seed N           the same sequences for the same number (default: another each time)`;

helpIfAsked(USAGE);

interface Options {
  readonly url: string;
  readonly contracts: string | undefined;
  readonly token: string | undefined;
  readonly otherToken: string | undefined;
  readonly runs: number;
  readonly seed: number;
}

function readFlags(): Options {
  const text = { type: 'string' } as const;
  const options = {
    url: text,
    contracts: text,
    token: text,
    'other-token': text,
    runs: text,
    seed: text,
  } as const;
  const { values } = parseArgs({ options });
  if (values.url === undefined) throw new UsageError(USAGE);
  const now = Date.now() % 1_000_000;
  return {
    url: urlOf(values.url),
    contracts: values.contracts,
    token: values.token,
    otherToken: values['other-token'],
    runs: wholeNumber('--runs', values.runs ?? '100'),
    seed: wholeNumber('--seed', values.seed ?? String(now)),
  };
}

function urlOf(text: string): string {
  try {
    return httpUrl.read(text);
  } catch (error) {
    throw new UsageError(`--url accepts ${(error as Error).message}`);
  }
}

function wholeNumber(flag: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`${flag}: ${text} is no whole number`);
  return Number(text);
}

/** A path in the URL is where the API is. */
function located(contract: CompiledContract, url: URL): CompiledContract {
  const path = url.pathname.replace(/\/+$/, '');
  return path === '' ? contract : { ...contract, document: { ...contract.document, servers: [{ url: path }] } };
}

function callersFor({ token, otherToken }: Options, contract: CompiledContract): Callers {
  if (token !== undefined) return callersOfTokens(token, otherToken);
  const keys = ownKeys();
  return keys ? signedCallers(contract, keys, [randomUUID(), randomUUID()]) : callersOfTokens(undefined, undefined);
}

/** What signs tokens that a developer's own server takes. */
function ownKeys(): SecretKeys | undefined {
  const { JWT_SECRET: secret, DATA_DIR } = process.env;
  if (secret) return secretKeys(secret);
  const { dataDir } = readConfig(DATA_DIR === undefined ? {} : { DATA_DIR });
  return hasDevelopmentKeys(dataDir) ? developmentKeys(dataDir) : undefined;
}

function told({ rule, subject, message, curl }: Finding): string {
  return `✗ ${rule}: ${subject}\n  ${message}\n\n${curl.map((line) => `  ${line}`).join('\n')}\n`;
}

async function run(options: Options): Promise<number> {
  const url = new URL(options.url);
  const contract = located(
    await contractFor({ contracts: options.contracts, handlers: undefined, sample: undefined }),
    url,
  );
  await reach(url.origin);
  const callers = callersFor(options, contract);
  const { findings, runs, requests } = await verify({
    contract,
    origin: url.origin,
    callers,
    seed: options.seed,
    runs: options.runs,
  });
  for (const finding of findings) console.log(told(finding));
  const tokens = [callers.owner, callers.other].flatMap((caller) =>
    caller?.authorization
      ? [`  export ${caller.name.toUpperCase()}=${caller.authorization.slice('Bearer '.length)}`]
      : [],
  );
  if (findings.length > 0 && options.token === undefined && tokens.length > 0)
    console.log(`The callers, for an hour:\n${tokens.join('\n')}\n`);
  const verdict = findings.length === 0 ? 'nothing deviates from the contract' : `${findings.length} deviations`;
  console.log(`${requests.toLocaleString('en')} requests in ${runs} sequences (seed ${options.seed}): ${verdict}.`);
  return findings.length === 0 ? 0 : 1;
}

async function reach(origin: string): Promise<void> {
  try {
    await fetch(origin, { method: 'HEAD' });
  } catch {
    throw new UsageError(`Nobody answers at ${origin}.`);
  }
}

try {
  process.exitCode = await run(readFlags());
} catch (error) {
  console.error(explainFailure(error, USAGE));
  process.exitCode = 1;
}
