import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { modelContract } from '../src/compiler/compile-contract.ts';
import type { CompiledContract } from '../src/descriptor/compiled-contract.ts';
import type { AnyHandlers } from '../src/runtime/wiring.ts';
import { DEFAULT_SEED, prove } from '../src/tools/proof/prove.ts';
import { formatDifference, formatRows, type ParityRecord } from '../src/tools/proof/record.ts';

const USAGE = `usage: npm run parity:proof -- [--contracts DIR] [--handlers FILE] [--seed ${DEFAULT_SEED}] [--json]

  Runs every action of a contract over REST and over GraphQL, as each kind of caller, with good and bad input,
  on a pair of identical servers, and compares their responses, stored rows and events.

  --contracts  folder of the contract; contracts/ if left out
  --handlers   module that exports \`handlers\`; for contracts/, src/handlers/index.ts if left out
  --seed       number that determines the requests
  --samples    invalid inputs and queries tried for each action; all if left out
  --json       the report as JSON`;

/** A mistake in how the command was called; only its message is printed. */
class UsageError extends Error {}

function readFlags() {
  const text = { type: 'string' } as const;
  const seed = { type: 'string', default: String(DEFAULT_SEED) } as const;
  const options = {
    contracts: text,
    handlers: text,
    seed,
    samples: text,
    json: { type: 'boolean', default: false },
  } as const;
  try {
    const { values } = parseArgs({ options });
    return {
      ...values,
      seed: number('seed', values.seed),
      samples: values.samples && number('samples', values.samples),
    };
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n\n${USAGE}`);
  }
}

function number(name: string, value: string): number {
  if (/^\d{1,9}$/.test(value)) return Number(value);
  throw new UsageError(`--${name} accepts a number, not ${JSON.stringify(value)}`);
}

async function contractOf(folder: string): Promise<CompiledContract> {
  const { model, findings } = await modelContract(folder);
  if (model?.graphql) return model;
  const faults = findings.map(({ message }) => message).join('\n');
  throw new UsageError(faults || `${folder} has no *.graphql file, so there is nothing to compare.`);
}

async function handlersOf(file: string | undefined, isOwn: boolean): Promise<AnyHandlers> {
  const path = file ?? (isOwn ? 'src/handlers/index.ts' : undefined);
  return path === undefined ? {} : (await import(resolve(path))).handlers;
}

function textOf(record: ParityRecord, seconds: number): string {
  const { rows, differences, run, differed, events, outcomes, notCovered } = record;
  const seen = [...outcomes].sort(([, a], [, b]) => b - a).map(([outcome, count]) => `${count} ${outcome}`);
  return [
    ...differences.map(formatDifference),
    formatRows(rows),
    ...notCovered.map((reason) => `not covered: ${reason}`),
    `answers compared: ${seen.join(', ')}`,
    `${run} steps, ${run - differed} agreed, ${differed} differed; ${events} events compared; ${seconds.toFixed(1)} s`,
  ].join('\n\n');
}

function json({ rows, differences, run, differed, events, outcomes, notCovered }: ParityRecord): string {
  const report = {
    run,
    differed,
    events,
    outcomes: Object.fromEntries(outcomes),
    rows,
    notCovered,
    differences,
  };
  return JSON.stringify(report, null, 2);
}

try {
  const { contracts = 'contracts', handlers: file, seed, samples, json: isJson } = readFlags();
  const contract = await contractOf(contracts);
  const handlers = await handlersOf(file, resolve(contracts) === resolve('contracts'));
  const started = performance.now();
  const record = await prove({ contract, handlers, seed, ...(samples ? { samples } : {}) });
  process.stdout.write(`${isJson ? json(record) : textOf(record, (performance.now() - started) / 1000)}\n`);
  process.exitCode = record.differed > 0 ? 1 : 0;
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
