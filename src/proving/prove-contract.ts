import { soundContract } from '../compiler/compile-contract.ts';
import type { CompiledContract } from '../descriptor/compiled-contract.ts';
import { systemFault } from '../descriptor/config-error.ts';
import { nameOf } from '../runtime/storage/database/index.ts';
import { CommandFailure } from '../tools/command-failure.ts';
import { handlersOf } from '../tools/replaced-entries.ts';
import { handlersFor } from '../tools/served-contract.ts';
import { unmetLines } from './harness/successes.ts';
import { causesOf, formatCause } from './proof/causes.ts';
import { prove } from './proof/prove.ts';
import { formatRows, type ParityRecord } from './proof/record.ts';

export interface ProofOptions {
  /** Folder of the contract. */
  readonly contracts: string;
  /** Module that exports `handlers`; undefined: the project's own for its own contract, else none. */
  readonly handlers?: string | undefined;
  readonly seed: number;
  /** Invalid inputs, queries and rarer callers for each action; undefined: all. */
  readonly samples?: number | undefined;
  /** URL of a Postgres: the servers' databases are made beside the one it names. Undefined: SQLite. */
  readonly database?: string | undefined;
  /** File of SQL with the tables that the contract maps, and their rows; undefined: tables of Lockstep. */
  readonly tables?: string | undefined;
  readonly json?: boolean | undefined;
}

/** Proves that both protocols do the same. Resolves with the exit code: 1 for a difference, and for an operation that never succeeded. Throws `CommandFailure`. */
export async function proveContract(options: ProofOptions): Promise<number> {
  const { contracts, handlers: file, seed, samples, database, tables, json } = options;
  if (tables !== undefined && database === undefined)
    throw new CommandFailure('--tables needs --database, the Postgres to make the tables on.');
  const contract = await contractOf(contracts);
  const handlers = (await handlersFor({ handlers: file ?? handlersOf(contracts) })) ?? {};
  const started = performance.now();
  const record = await prove({
    contract,
    handlers,
    seed,
    ...(samples !== undefined && { samples }),
    database,
    tables,
  }).catch((error: unknown) => {
    throw database === undefined
      ? error
      : systemFault('--database', nameOf({ kind: 'postgres', url: database }), error);
  });
  console.log(json ? reportOf(record) : formatRecord(record, (performance.now() - started) / 1000));
  return record.differed > 0 || record.failed.length > 0 ? 1 : 0;
}

async function contractOf(folder: string): Promise<CompiledContract> {
  const { model } = await soundContract(folder, process.stderr.isTTY);
  if (model.graphql || model.tools) return model;
  throw new CommandFailure(`${folder} has neither a *.graphql file nor x-mcp, so there is nothing to compare.`);
}

function formatRecord(record: ParityRecord, seconds: number): string {
  const { rows, differences, run, differed, succeeded, refused, events, outcomes, notCovered, unmet } = record;
  const seen = [...outcomes].sort(([, a], [, b]) => b - a).map(([outcome, count]) => `${count} ${outcome}`);
  const causes = causesOf(differences);
  const kinds = causes.length === 1 ? '1 kind' : `${causes.length} kinds`;
  const differing = `${differed} differed${differed > 0 ? ` (${kinds})` : ''}`;
  return [
    ...causes.map(formatCause),
    formatRows(rows),
    ...notCovered.map((reason) => `not covered: ${reason}`),
    `answers compared: ${seen.join(', ')}`,
    ...unmetLines(unmet),
    `${run} steps, ${succeeded} successes agreed, ${refused} refusals agreed, ${differing}; ` +
      `${events} events compared; ${seconds.toFixed(1)} s`,
  ].join('\n\n');
}

function reportOf(record: ParityRecord): string {
  const { rows, differences, run, differed, succeeded, refused, events, outcomes, notCovered, unmet } = record;
  const causes = causesOf(differences).map(({ first: { difference }, count, actions }) => ({
    difference,
    count,
    actions: Object.fromEntries(actions),
  }));
  const report = {
    run,
    succeeded,
    refused,
    differed,
    neverSucceeded: unmet,
    events,
    outcomes: Object.fromEntries(outcomes),
    rows,
    notCovered,
    causes,
    differences: differences.map(({ answers, difference, ...step }) => ({
      ...step,
      ...Object.fromEntries(answers.map(({ protocol, ...answer }) => [protocol.toLowerCase(), answer])),
      difference,
    })),
  };
  return JSON.stringify(report, undefined, 2);
}
