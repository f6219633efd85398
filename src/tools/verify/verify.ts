import fc from 'fast-check';
import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import { Random } from '../synthetic/random.ts';
import type { Callers } from './callers.ts';
import { Conformance } from './conformance.ts';
import { Deviation } from './deviation.ts';
import { Wire } from './exchange.ts';
import { create, type Move, movesOf } from './moves.ts';
import { stepOf } from './scene.ts';
import { type Language, languageOf, Session } from './session.ts';
import { World } from './world.ts';

export interface VerifyOptions {
  readonly contract: CompiledContract;
  /** Where the server is, without its path. */
  readonly origin: string;
  readonly callers: Callers;
  readonly seed: number;
  /** Sequences of moves that are tried. */
  readonly runs: number;
  /** Findings after which it is enough. Default 10. */
  readonly maxFindings?: number;
  readonly fetch?: typeof fetch;
}

/** A way in which the server differs from its contract. */
export interface Finding {
  readonly rule: string;
  /** Operation or field. */
  readonly subject: string;
  readonly message: string;
  /** The requests that show it, the fewest that were found, as lines for a shell; the last one is what fails. */
  readonly curl: readonly string[];
}

export interface VerifyReport {
  readonly findings: readonly Finding[];
  readonly runs: number;
  readonly requests: number;
}

/** Moves of one run, at most. */
const MAX_MOVES = 14;

interface Turn {
  readonly move: Move;
  readonly seed: number;
}

/**
 * Plays random sequences of what clients may do, over both protocols, against a server, and holds every answer against the
 * contract and against what was seen before. What deviates is reduced to the fewest requests (fast-check).
 */
export async function verify(options: VerifyOptions): Promise<VerifyReport> {
  const { contract, seed, runs, maxFindings = 10 } = options;
  const language = languageOf(contract, new Conformance(contract));
  const moves = movesOf(contract.resources);
  const findings: Finding[] = [];
  const count = { runs: 0, requests: 0 };
  if (moves.length === 0) return { findings, ...count };
  const turns = fc.array(
    fc.record({ move: fc.noShrink(fc.constantFrom(...moves)), seed: fc.noShrink(fc.nat(2 ** 31 - 1)) }),
    {
      minLength: 1,
      maxLength: MAX_MOVES,
    },
  );
  while (findings.length < maxFindings) {
    let smallest: Finding | undefined;
    const property = fc.asyncProperty(turns, async (sequence) => {
      count.runs += 1;
      const finding = await play(options, language, sequence, findings, count);
      if (!finding) return true;
      smallest = finding;
      return false;
    });
    const { failed } = await fc.check(property, { numRuns: runs, seed: seed + findings.length, endOnFailure: false });
    if (!failed || !smallest) break;
    findings.push(smallest);
  }
  return { findings, ...count };
}

/** One run on a world of its own; what it deviates in, unless that is known. */
async function play(
  { contract, origin, callers, fetch: send = fetch }: VerifyOptions,
  language: Language,
  sequence: readonly Turn[],
  known: readonly Finding[],
  count: { requests: number },
): Promise<Finding | undefined> {
  const wire = new Wire(origin, send);
  const world = new World();
  const scene = (seed: number) => ({ session: new Session(language, wire), world, callers, random: new Random(seed) });
  try {
    for (const resource of contract.resources)
      if (resource.owner?.property === 'id' && resource.actions.create)
        await ignoringKnown(known, () => create(scene(1), resource));
    for (const { move, seed } of sequence) await ignoringKnown(known, () => move.run(scene(seed)));
    await tidy(scene(0).session, world);
    return undefined;
  } catch (error) {
    if (!(error instanceof Deviation)) throw error;
    return { rule: error.rule, subject: error.subject, message: error.message, curl: wire.curl() };
  } finally {
    count.requests += wire.exchanges.length;
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

/** Takes away what the run has made, the last first; what may not be deleted stays. */
async function tidy(session: Session, world: World): Promise<void> {
  for (const { resource, caller, params } of [...world.all].reverse()) {
    if (!resource.actions.delete) continue;
    const request = session.language.rest.request(stepOf(resource, 'delete', caller, { params }));
    await session.send(request, caller);
  }
}
