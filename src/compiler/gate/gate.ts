import { join, relative } from 'node:path';
import type { Keep } from '../../descriptor/keep.ts';
import { type ContractSteps, contractSteps } from '../compile-contract.ts';
import { libraryFor } from '../emit/folder/library.ts';
import { driftOf } from '../emit/folder/output-folder.ts';
import { type Finding, isError, type Reliance } from '../findings/finding.ts';
import type { ContractModel } from '../model/model.ts';
import { PIECES, type Piece } from '../pieces.ts';
import { entryOf } from '../read/read-contract.ts';
import { type Base, baselineFindings } from './baseline.ts';
import type { Change } from './changes/change.ts';
import { type Comparison, compareWithReleased, findingsOf } from './changes/compare.ts';
import { compareBranch } from './changes/compare-branch.ts';
import { type Edition, editionOf, readEdition } from './changes/edition.ts';
import type { WaivedChange } from './changes/waivers.ts';
import { lintFindings } from './lint.ts';

export interface GateOptions {
  /** Folder of the contract. */
  readonly contracts: string;
  /** Folder with the generated output. */
  readonly out: string;
  /**
   * Runs the contract's own tests of access; they are not run if left out, because serving a contract is not a task of
   * the compiler's.
   */
  readonly access?: ((model: ContractModel) => Promise<Result>) | undefined;
  /** Runs the hand-written migrations on an empty database, which is not the compiler's task either. */
  readonly migrations?: ((model: ContractModel) => Promise<Result>) | undefined;
  /** Whether the contract has what registered consumers send and call. */
  readonly consumers?: ((model: ContractModel) => Promise<Result>) | undefined;
  /** Finds where registered consumers rely on what is broken between two editions; undefined if nobody is registered, or it is unknown. */
  readonly reliance?:
    | ((released: Edition, current: Edition) => (change: Change) => readonly Reliance[] | undefined)
    | undefined;
  /** What the branch started from, which its changes are then judged by; the contract's own releases if left out. */
  readonly base?: Base | undefined;
  /** What an earlier run has made, and is not made again; nothing if left out. */
  readonly keep?: Keep | undefined;
  /** Today in UTC, which decides what has expired: `2026-11-21`. */
  readonly date: string;
}

/** What a check has found. */
interface Checked {
  readonly status: 'passed' | 'failed';
  /** What was checked, and the result, in one line. */
  readonly summary: string;
  readonly findings: readonly Finding[];
  /** Of `changes`: the differences that are allowed, greatest impact first. */
  readonly changes?: readonly Change[];
  /** Of `changes`: the breaking differences that the contract waives. */
  readonly waived?: readonly WaivedChange[];
}

/** A check that could not run: it has found nothing, which does not mean that all is well. */
interface NotRun {
  readonly status: 'not-run';
  /** Why. */
  readonly summary: string;
  readonly findings: readonly [];
  /** Whether a fault of the contract is in the way, and not only that there is nothing to check. */
  readonly isBlocked: boolean;
}

export type Result = Checked | NotRun;

/** The result of one check. */
export type Verdict = Result & { readonly piece: Piece };

/** What the checks share. */
interface GateContext extends GateOptions, ContractSteps {}

const CHECKS: Readonly<Record<Piece, (context: GateContext) => Promise<Result>>> = {
  /** Redocly's rules for OpenAPI. */
  async lint({ contracts, source }) {
    return judged(await lintFindings(contracts, await source()), 'OpenAPI rules');
  },

  /** The conventions of both documents, and their parity. */
  async contract({ compiled }) {
    const { findings, parity } = await compiled();
    const facts = parity.length === 0 ? 'REST only' : `${parity.length} facts of both protocols`;
    return judged(findings, `conventions, ${facts}`);
  },

  /** Whether the generated output is up to date. */
  async drift({ contracts, out, compiled }) {
    const { files } = await compiled();
    if (!files) return BLOCKED;
    const { stale, missing, extra } = await driftOf(out, files);
    const finding = (path: string, what: string): Finding => ({
      rule: 'generated-drift',
      severity: 'error',
      message: `\`${path}\` ${what}.`,
      hint: 'Run `npm run generate`.',
      location: { file: relative(contracts, join(out, path)), line: 1, column: 1, pointer: '' },
    });
    return judged(
      [
        ...stale.map((path) => finding(path, 'is out of date with the contract')),
        ...missing.map((path) => finding(path, 'is missing')),
        ...extra.map((path) => finding(path, 'is not generated from the contract any more')),
      ],
      `${out}/ against ${contracts}/`,
    );
  },

  /** Whether registered consumers still find what they rely on. */
  consumers: ({ modelled, consumers }) => onModel(modelled, consumers),

  /** The contract's own tests of who may do what. */
  access: ({ modelled, access }) => onModel(modelled, access),

  /** Whether the files of migrations run on an empty database. */
  migrations: ({ modelled, migrations }) => onModel(modelled, migrations),

  /** Whether there are breaking changes since the last release. */
  async changes(context) {
    const { contracts, date, base, source, modelled, keep } = context;
    if (base?.contracts !== undefined) {
      const { folder: kept } = await entryOf(base.contracts);
      const { edition } = await readEdition(contracts, kept);
      return changesOfBranch(edition, { ...base, contracts: kept }, context);
    }
    const edition = editionOf(await source(), await modelled());
    if (!edition) return BLOCKED;
    if (base) return notRun(`a contract does not exist at ${base.name}`);
    const comparison = await compareWithReleased(contracts, edition, date, keep);
    const { since } = comparison;
    if (!since) return notRun('nothing has been released yet');
    return compared(comparison, [], since.version, naming(comparison, edition, context));
  },
};

/** The branch's own changes, judged by the releases that it started from, and what it has done to those. */
async function changesOfBranch(
  edition: Edition | undefined,
  base: Required<Base>,
  context: GateContext,
): Promise<Result> {
  const { contracts, date, compiled, keep } = context;
  const comparison = edition && (await compareWithReleased(base.contracts, edition, date, keep));
  const branch = comparison && { edition, comparison, compiled, date };
  const edited = await baselineFindings((await entryOf(contracts)).folder, base, branch);
  if (!branch) return edited.length > 0 ? judged(edited, BLOCKED.summary) : BLOCKED;
  const own = await compareBranch(comparison, base.contracts, edition, date, keep);
  const judge = own.since ? `compared with ${own.since.version}` : 'without an earlier release';
  return compared(own, edited, `${base.name}, ${judge}`, naming(own, edition, context));
}

type Naming = (change: Change) => Change;

/** Gives breaking changes the places where registered consumers rely on what is broken. */
function naming({ released }: Comparison, current: Edition, { reliance }: GateContext): Naming {
  const find = released && reliance?.(released, current);
  return (change) => hurting(change, find?.(change));
}

const MAX_PLACES = 6;

function hurting(change: Change, consumers: readonly Reliance[] | undefined): Change {
  if (!consumers) return change;
  const places = consumers.map(({ consumer, location: { file, line } }) => `${consumer} (\`${file}:${line}\`)`);
  const more = places.length > MAX_PLACES ? ` and in ${places.length - MAX_PLACES} more places` : '';
  const whom = places.length === 0 ? 'no registered consumer' : places.slice(0, MAX_PLACES).join(', ') + more;
  return { ...change, message: `${change.message} Hurts ${whom}.`, consumers };
}

function compared(comparison: Comparison, edited: readonly Finding[], since: string, named: Naming): Checked {
  const { broken, changes, waived } = comparison;
  const shown = new Set([...broken, ...waived.map(({ change }) => change)]);
  const findings = [...edited, ...findingsOf({ ...comparison, broken: broken.map(named) })];
  return {
    ...judged(findings, summaryOf(comparison, since)),
    changes: byImpact(changes.filter((change) => !shown.has(change))),
    waived: waived.map(({ change, waiver }) => ({ change: named(change), waiver })),
  };
}

export const notRun = (summary: string): NotRun => ({ status: 'not-run', isBlocked: false, summary, findings: [] });
const BLOCKED: NotRun = { status: 'not-run', isBlocked: true, summary: 'the contract has errors', findings: [] };

async function onModel(modelled: ContractSteps['modelled'], check: GateOptions['access']): Promise<Result> {
  const { model } = await modelled();
  if (!model) return BLOCKED;
  return check ? check(model) : notRun('nothing serves it');
}

/** What a check has found, which fails by an error. */
export function judged(findings: readonly Finding[], summary: string): Checked {
  const hasFailed = findings.some(isError);
  return { status: hasFailed ? 'failed' : 'passed', summary, findings };
}

function summaryOf(comparison: Comparison, version: string): string {
  const { changes, impact, isNewApiVersion, apiVersion, waived, broken } = comparison;
  const count = `${changes.length} ${changes.length === 1 ? 'change' : 'changes'} since ${version}`;
  if (!impact) return count;
  const permission = isNewApiVersion && broken.length === 0 ? `, which ${apiVersion} allows` : '';
  return `${count}: ${impact}${permission}${waived.length > 0 ? `, ${waived.length} waived` : ''}`;
}

const IMPACTS = ['major', 'minor', 'patch'] as const;
const byImpact = (changes: readonly Change[]): readonly Change[] =>
  IMPACTS.flatMap((impact) => changes.filter((change) => change.impact === impact));

/** Runs checks of the gate concurrently; all of them if left out. */
export function runGate(options: GateOptions, pieces: readonly Piece[] = PIECES): Promise<readonly Verdict[]> {
  const context = { ...options, ...contractSteps(options.contracts, libraryFor(options.out), options.keep) };
  return Promise.all(pieces.map(async (piece): Promise<Verdict> => ({ piece, ...(await CHECKS[piece](context)) })));
}
