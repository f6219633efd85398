import { randomUUID } from 'node:crypto';
import type { CompiledContract } from '../descriptor/compiled-contract.ts';
import { developmentKeys, hasDevelopmentKeys, type SecretKeys, secretKeys } from '../runtime/auth/index.ts';
import { readConfig } from '../runtime/settings/index.ts';
import { CommandFailure } from '../tools/command-failure.ts';
import { createProgress } from '../tools/progress.ts';
import { contractFor } from '../tools/served-contract.ts';
import { unmetLines } from './harness/successes.ts';
import { type Callers, callersOfTokens, signedCallers } from './verify/callers.ts';
import { tenantRow } from './verify/tenant-row.ts';
import { type Finding, verify } from './verify/verify.ts';

export interface VerifyOptions {
  /** Of the server; with a path, where the API is. */
  readonly url: string;
  /** Folder of the contract; undefined: the generated one. */
  readonly contracts?: string | undefined;
  /** Undefined: tokens are signed by keys that a developer's own server accepts. */
  readonly token?: string | undefined;
  readonly otherToken?: string | undefined;
  /** Sequences that are tried. */
  readonly runs: number;
  /** Undefined: another each time. */
  readonly seed?: number | undefined;
  /** Whether an operation that never succeeds is a fault. */
  readonly strict?: boolean | undefined;
}

/**
 * Tests a running server and prints each deviation, and the operations that never succeeded. Resolves with the exit code: 1 for any, and where nothing succeeded.
 * Throws `CommandFailure`.
 */
export async function verifyServer({ seed = Date.now() % 1_000_000, ...options }: VerifyOptions): Promise<number> {
  const url = new URL(options.url);
  const generated = await contractFor({ contracts: options.contracts, handlers: undefined, sample: undefined });
  const contract = withBasePath(generated, url);
  await reach(url.origin);
  const { callers, end } = await callersFor(options, contract, url.origin);
  const progress = createProgress('sequences');
  const { findings, runs, requests, succeeded, unmet } = await verify({
    contract,
    origin: url.origin,
    callers,
    seed,
    runs: options.runs,
    // Beyond that, deviations are reduced to their shortest sequence, and nobody knows how long that takes.
    onSequence: (tried) => progress.report(tried, tried <= options.runs ? options.runs : undefined),
  }).finally(progress.end);
  await end();
  for (const finding of findings) console.log(textOf(finding));
  if (findings.length > 0 && options.token === undefined) printTokens(callers);
  const count = findings.length === 1 ? '1 deviation' : `${findings.length} deviations`;
  const verdict = findings.length === 0 ? 'no deviations from the contract' : count;
  for (const line of unmetLines(unmet)) console.log(`${line}\n`);
  const ever = `${succeeded} of ${succeeded + unmet.length} operations succeeded`;
  console.log(`${requests.toLocaleString('en')} requests in ${runs} sequences (seed ${seed}): ${verdict}; ${ever}.`);
  const isIdle = succeeded === 0 && unmet.length > 0;
  const isShort = options.strict === true && unmet.some(({ excuse }) => excuse === undefined);
  return findings.length > 0 || isIdle || isShort ? 1 : 0;
}

/** The contract with the path of the URL as its base path. */
function withBasePath(contract: CompiledContract, url: URL): CompiledContract {
  const path = url.pathname.replace(/\/+$/, '');
  return path === '' ? contract : { ...contract, document: { ...contract.document, servers: [{ url: path }] } };
}

async function reach(origin: string): Promise<void> {
  try {
    await fetch(origin, { method: 'HEAD' });
  } catch {
    throw new CommandFailure(`No server answers at ${origin}.`);
  }
}

/** The callers, and how to remove the rows that were made for them. */
async function callersFor({ token, otherToken }: VerifyOptions, contract: CompiledContract, origin: string) {
  const keys = token === undefined ? ownKeys() : undefined;
  if (!keys) return { callers: callersOfTokens(token, otherToken), end: async () => undefined };
  const subjects = [randomUUID(), randomUUID()] as const;
  const { id, end } = await tenantRow(contract, signedCallers(contract, keys, subjects), origin);
  return { callers: signedCallers(contract, keys, subjects, new Date(), id), end };
}

/** The keys of a local server, if it has any. */
function ownKeys(): SecretKeys | undefined {
  const { JWT_SECRET: secret, DATA_DIR } = process.env;
  if (secret) return secretKeys(secret);
  const { dataDir } = readConfig(DATA_DIR === undefined ? {} : { DATA_DIR });
  return hasDevelopmentKeys(dataDir) ? developmentKeys(dataDir) : undefined;
}

const textOf = ({ rule, subject, message, curl }: Finding): string =>
  `✗ ${rule}: ${subject}\n  ${message}\n\n${curl.map((line) => `  ${line}`).join('\n')}\n`;

function printTokens({ owner, other }: Callers): void {
  const lines = [owner, other].flatMap((caller) =>
    caller?.authorization
      ? [`  export ${caller.name.toUpperCase()}=${caller.authorization.slice('Bearer '.length)}`]
      : [],
  );
  if (lines.length > 0) console.log(`The tokens of these requests, valid for an hour:\n${lines.join('\n')}\n`);
}
