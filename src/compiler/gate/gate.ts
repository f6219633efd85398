import { join, relative } from 'node:path';
import { type Compiled, compileContract, modelContract } from '../compile-contract.ts';
import { libraryFor } from '../emit/library.ts';
import { driftOf } from '../emit/output-folder.ts';
import type { Finding } from '../findings/finding.ts';
import type { ContractModel, Modelled } from '../model/model.ts';
import type { Change } from './changes/change.ts';
import { type Comparison, compareWithReleased } from './changes/compare.ts';
import { readEdition } from './changes/edition.ts';
import type { WaivedChange } from './changes/waivers.ts';
import { lintFindings } from './lint.ts';
import { PIECES, type Piece } from './pieces.ts';

export interface GateOptions {
  /** Folder of the contract. */
  readonly contracts: string;
  /** Folder with the generated output. */
  readonly out: string;
  /**
   * Runs the contract's own tests of access; they are not run if left out, because what serves a contract is none of
   * the compiler's.
   */
  readonly access?: ((model: ContractModel) => Promise<Result>) | undefined;
  /** Runs the hand-written migrations on an empty database, which is none of the compiler's either. */
  readonly migrations?: ((model: ContractModel) => Promise<Result>) | undefined;
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

/** A check that could not run: it has found nothing, and that is no approval. */
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

/** What the checks share; the contract is compiled at most once. */
interface GateContext extends GateOptions {
  readonly compiled: () => Promise<Compiled>;
  /** The same without its output, where no other check needs that. */
  readonly modelled: () => Promise<Modelled>;
}

const CHECKS: Readonly<Record<Piece, (context: GateContext) => Promise<Result>>> = {
  /** Redocly's rules for OpenAPI. */
  async lint({ contracts }) {
    return judged(await lintFindings(contracts), 'OpenAPI rules');
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
        ...extra.map((path) => finding(path, 'is no longer generated from the contract')),
      ],
      `${out}/ against ${contracts}/`,
    );
  },

  /** The contract's own tests of who may do what. */
  access: ({ modelled, access }) => onModel(modelled, access),

  /** Whether the files of migrations run on an empty database. */
  migrations: ({ modelled, migrations }) => onModel(modelled, migrations),

  /** Whether there are breaking changes since the last release. */
  async changes({ contracts, date }) {
    const { edition } = await readEdition(contracts);
    if (!edition) return BLOCKED;
    const comparison = await compareWithReleased(contracts, edition, date);
    const { since, findings, changes, waived } = comparison;
    if (!since) return { status: 'not-run', isBlocked: false, summary: 'nothing has been released yet', findings: [] };
    const forbidden = new Set(comparison.broken);
    return {
      ...judged(findings, summaryOf(comparison, since.version)),
      changes: byImpact(
        changes.filter((change) => !forbidden.has(change) && !waived.some((one) => one.change === change)),
      ),
      waived,
    };
  },
};

const BLOCKED: NotRun = { status: 'not-run', isBlocked: true, summary: 'the contract has errors', findings: [] };

async function onModel(modelled: GateContext['modelled'], check: GateOptions['access']): Promise<Result> {
  const { model } = await modelled();
  if (!model) return BLOCKED;
  return check ? check(model) : { status: 'not-run', isBlocked: false, summary: 'nothing serves it', findings: [] };
}

function judged(findings: readonly Finding[], summary: string): Checked {
  const hasFailed = findings.some(({ severity }) => severity === 'error');
  return { status: hasFailed ? 'failed' : 'passed', summary, findings };
}

function summaryOf({ changes, impact, isNewApiVersion, apiVersion, waived }: Comparison, version: string): string {
  const count = `${changes.length} ${changes.length === 1 ? 'change' : 'changes'} since ${version}`;
  if (!impact) return count;
  const permission = isNewApiVersion ? `, which ${apiVersion} allows` : '';
  return `${count}: ${impact}${permission}${waived.length > 0 ? `, ${waived.length} waived` : ''}`;
}

const IMPACTS = ['major', 'minor', 'patch'] as const;
const byImpact = (changes: readonly Change[]): readonly Change[] =>
  IMPACTS.flatMap((impact) => changes.filter((change) => change.impact === impact));

/** Runs checks of the gate concurrently; all of them if left out. */
export function runGate(options: GateOptions, pieces: readonly Piece[] = PIECES): Promise<readonly Verdict[]> {
  let compiling: Promise<Compiled> | undefined;
  const compiled = (): Promise<Compiled> => (compiling ??= compileContract(options.contracts, libraryFor(options.out)));
  const isCompiled = pieces.some((piece) => piece === 'contract' || piece === 'drift');
  const modelled = isCompiled ? compiled : () => modelContract(options.contracts);
  return Promise.all(
    pieces.map(
      async (piece): Promise<Verdict> => ({ piece, ...(await CHECKS[piece]({ ...options, compiled, modelled })) }),
    ),
  );
}
