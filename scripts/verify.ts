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

Checks a running server against a contract: runs random sequences of client requests over REST and GraphQL, and reports each
deviation with the shortest sequence of requests that reproduces it, as curl command lines. It creates, changes and deletes
rows of its own, so use it on a test server only. Exits with 1 when the server deviates.

  --url URL          the server, optionally with the path of the API (default: the path that the contract declares)
  --contracts DIR    the contract (default: the one generated from contracts/)
  --token JWT        the caller that creates rows (default: tokens signed with JWT_SECRET, or with the development key of DATA_DIR)
  --other-token JWT  another caller with the same scopes, to check who can see which rows
  --runs N           number of sequences to try (default: 100)
  --seed N           determines the sequences (default: random)`;

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
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`${flag}: ${text} is not a whole number`);
  return Number(text);
}

/** The contract with the path of the URL as its base path. */
function withBasePath(contract: CompiledContract, url: URL): CompiledContract {
  const path = url.pathname.replace(/\/+$/, '');
  return path === '' ? contract : { ...contract, document: { ...contract.document, servers: [{ url: path }] } };
}

function callersFor({ token, otherToken }: Options, contract: CompiledContract): Callers {
  if (token !== undefined) return callersOfTokens(token, otherToken);
  const keys = ownKeys();
  return keys ? signedCallers(contract, keys, [randomUUID(), randomUUID()]) : callersOfTokens(undefined, undefined);
}

/** The keys of a local server, if it has any. */
function ownKeys(): SecretKeys | undefined {
  const { JWT_SECRET: secret, DATA_DIR } = process.env;
  if (secret) return secretKeys(secret);
  const { dataDir } = readConfig(DATA_DIR === undefined ? {} : { DATA_DIR });
  return hasDevelopmentKeys(dataDir) ? developmentKeys(dataDir) : undefined;
}

function textOf({ rule, subject, message, curl }: Finding): string {
  return `✗ ${rule}: ${subject}\n  ${message}\n\n${curl.map((line) => `  ${line}`).join('\n')}\n`;
}

async function run(options: Options): Promise<number> {
  const url = new URL(options.url);
  const contract = withBasePath(
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
  for (const finding of findings) console.log(textOf(finding));
  const tokens = [callers.owner, callers.other].flatMap((caller) =>
    caller?.authorization
      ? [`  export ${caller.name.toUpperCase()}=${caller.authorization.slice('Bearer '.length)}`]
      : [],
  );
  if (findings.length > 0 && options.token === undefined && tokens.length > 0)
    console.log(`The tokens of these requests, valid for an hour:\n${tokens.join('\n')}\n`);
  const deviations = findings.length === 1 ? '1 deviation' : `${findings.length} deviations`;
  const verdict = findings.length === 0 ? 'no deviations from the contract' : deviations;
  console.log(`${requests.toLocaleString('en')} requests in ${runs} sequences (seed ${options.seed}): ${verdict}.`);
  return findings.length === 0 ? 0 : 1;
}

async function reach(origin: string): Promise<void> {
  try {
    await fetch(origin, { method: 'HEAD' });
  } catch {
    throw new UsageError(`No server answers at ${origin}.`);
  }
}

try {
  process.exitCode = await run(readFlags());
} catch (error) {
  console.error(explainFailure(error, USAGE));
  process.exitCode = 1;
}
