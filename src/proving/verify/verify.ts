import fc from 'fast-check';
import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import { Random } from '../../tools/random.ts';
import { Inputs } from '../harness/inputs.ts';
import { Successes, type Unmet } from '../harness/successes.ts';
import type { Callers } from './callers.ts';
import { ContractClient, type Protocols, protocolsOf } from './contract-client.ts';
import { checkCredentials } from './credentials.ts';
import { Deviation } from './deviation.ts';
import { HttpRecorder } from './http-recorder.ts';
import { KnownRows } from './known-rows.ts';
import { type MoveContext, stepOf } from './move-context.ts';
import { type Move, movesOf } from './moves.ts';
import { create } from './row-moves.ts';

export interface VerifyOptions {
  readonly contract: CompiledContract;
  /** The server's URL without a path. */
  readonly origin: string;
  readonly callers: Callers;
  readonly seed: number;
  /** Number of sequences of moves to try. */
  readonly runs: number;
  /** Number of findings after which verification stops; 10 if left out. */
  readonly maxFindings?: number;
  readonly fetch?: typeof fetch;
  /** Of the contract, when several verifications share them; made if left out. */
  readonly protocols?: Protocols;
  /** Called after each sequence, those that make a finding shorter included. */
  readonly onSequence?: ((tried: number) => void) | undefined;
}

/** A deviation of the server from its contract. */
export interface Finding {
  readonly rule: string;
  /** Operation or field. */
  readonly subject: string;
  readonly message: string;
  /** The shortest sequence of requests found that reproduces it, as curl command lines; the last one fails. */
  readonly curl: readonly string[];
}

export interface VerifyReport {
  readonly findings: readonly Finding[];
  readonly runs: number;
  readonly requests: number;
  /** Operations that succeeded for some caller. */
  readonly succeeded: number;
  /** The others, with the statuses that they were answered. */
  readonly unmet: readonly Unmet[];
}

/** Maximum number of moves in one run. */
const MAX_MOVES = 14;
/** How often what has not succeeded is tried again. */
const MORE = 4;

interface SeededMove {
  readonly move: Move;
  readonly seed: number;
}

/**
 * Runs random sequences of moves against a server, over every protocol, and checks every response against the contract
 * and against earlier responses. fast-check reduces a deviation to the shortest sequence of requests.
 */
export async function verify(options: VerifyOptions): Promise<VerifyReport> {
  const { contract, seed, runs, maxFindings = 10, protocols = protocolsOf(contract) } = options;
  const moves = movesOf(contract);
  const findings: Finding[] = [];
  const count = { runs: 0, requests: 0, successes: new Successes() };
  const operationIds = contract.rest.operations.map(({ operationId }) => operationId);
  const unmet = (): readonly Unmet[] => count.successes.unmet(operationIds, contract);
  const report = (found: readonly Finding[]): VerifyReport => {
    const { successes, ...counts } = count;
    return { findings: found, ...counts, succeeded: successes.succeeded.size, unmet: unmet() };
  };
  if (moves.length === 0) return report(findings);
  const refused = await refusal(options, protocols, count);
  if (refused) return report([refused]);
  const sequences = fc.array(
    fc.record({ move: fc.noShrink(fc.constantFrom(...moves)), seed: fc.noShrink(fc.nat(2 ** 31 - 1)) }),
    {
      minLength: 1,
      maxLength: MAX_MOVES,
    },
  );
  while (findings.length < maxFindings) {
    let smallest: Finding | undefined;
    const property = fc.asyncProperty(sequences, async (sequence) => {
      count.runs += 1;
      const finding = await play(options, protocols, sequence, findings, count);
      options.onSequence?.(count.runs);
      if (!finding) return true;
      smallest = finding;
      return false;
    });
    const { failed } = await fc.check(property, { numRuns: runs, seed: seed + findings.length, endOnFailure: false });
    if (!failed || !smallest) break;
    findings.push(smallest);
  }
  // By chance, a few operations may not have been asked for, or have been asked for in vain.
  for (let i = 0; i < MORE && runs > 0 && count.successes.succeeded.size > 0; i += 1) {
    const ids = new Set(unmet().map(({ operationId }) => operationId));
    for (const move of moves.filter(({ asks }) => asks.some((one) => ids.has(one)))) {
      const finding = await play(options, protocols, [{ move, seed: seed + i }], findings, count);
      if (finding && findings.length < maxFindings) findings.push(finding);
    }
  }
  return report(findings);
}

/** What is wrong when the server takes none of our tokens: all else would follow from that. */
async function refusal(
  { origin, callers, fetch: send = fetch }: VerifyOptions,
  protocols: Protocols,
  count: { requests: number },
): Promise<Finding | undefined> {
  const http = new HttpRecorder(origin, send);
  try {
    await checkCredentials(protocols, callers, http);
    return undefined;
  } catch (error) {
    if (!(error instanceof Deviation)) throw error;
    return { rule: error.rule, subject: error.subject, message: error.message, curl: http.curl().slice(0, 1) };
  } finally {
    count.requests += http.exchanges.length;
  }
}

/** Runs one sequence of moves. Returns the deviation it finds, unless that is known. */
async function play(
  { contract, origin, callers, fetch: send = fetch }: VerifyOptions,
  protocols: Protocols,
  sequence: readonly SeededMove[],
  known: readonly Finding[],
  count: { requests: number; readonly successes: Successes },
): Promise<Finding | undefined> {
  const http = new HttpRecorder(origin, send);
  const knownRows = new KnownRows();
  const client = new ContractClient(protocols, http, count.successes);
  const context = (seed: number): MoveContext => {
    const random = new Random(seed);
    const inputs = new Inputs(contract.document, random, knownRows.referable(random));
    return { client, knownRows, callers, random, inputs };
  };
  try {
    for (const resource of contract.resources)
      if (resource.owner?.property === 'id' && resource.actions.create)
        await ignoringKnown(known, () => create(context(1), resource));
    for (const { move, seed } of sequence) await ignoringKnown(known, () => move.run(context(seed)));
    await cleanUp(client, knownRows);
    return undefined;
  } catch (error) {
    if (!(error instanceof Deviation)) throw error;
    return { rule: error.rule, subject: error.subject, message: error.message, curl: http.curl() };
  } finally {
    count.requests += http.exchanges.length;
  }
}

async function ignoringKnown(known: readonly Finding[], act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    const isKnown =
      error instanceof Deviation && known.some(({ rule, subject }) => rule === error.rule && subject === error.subject);
    if (!isKnown) throw error;
  }
}

/** Deletes the rows that the run has created, the latest first, as far as the contract allows it. */
export async function cleanUp(client: ContractClient, knownRows: KnownRows): Promise<void> {
  for (const { resource, caller, params } of [...knownRows.all].reverse()) {
    if (!resource.actions.delete) continue;
    const request = client.protocols.rest.request(stepOf(resource, 'delete', caller, { params }));
    await client.send(request, caller);
  }
}
