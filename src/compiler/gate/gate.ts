import { join, relative } from 'node:path';
import { type Compiled, compileContract } from '../compile-contract.ts';
import { libraryFor } from '../emit/library.ts';
import { driftOf } from '../emit/output-folder.ts';
import type { Finding } from '../findings/finding.ts';
import { breakingFindings, compareWithReleased } from './changes/compare.ts';
import { readEdition } from './changes/edition.ts';
import { lintFindings } from './lint.ts';
import { PIECES, type Piece } from './pieces.ts';

export interface GateOptions {
  /** Folder of the contract. */
  readonly contracts: string;
  /** Folder with the generated output. */
  readonly out: string;
}

/** The result of one check. */
export interface Verdict {
  readonly piece: Piece;
  readonly findings: readonly Finding[];
  /** What was checked, and the result, in one line. */
  readonly summary: string;
}

/** What the checks share; the contract is compiled at most once. */
interface GateContext extends GateOptions {
  readonly compiled: () => Promise<Compiled>;
}

const CHECKS: Readonly<Record<Piece, (context: GateContext) => Promise<Omit<Verdict, 'piece'>>>> = {
  /** Redocly's rules for OpenAPI. */
  async lint({ contracts }) {
    return { findings: await lintFindings(contracts), summary: 'OpenAPI rules' };
  },

  /** The conventions of both documents, and their parity. */
  async contract({ compiled }) {
    const { findings, parity } = await compiled();
    const facts = parity.length === 0 ? 'REST only' : `${parity.length} facts of both protocols`;
    return { findings, summary: `conventions, ${facts}` };
  },

  /** Whether the generated output is up to date. */
  async drift({ contracts, out, compiled }) {
    const summary = `${out}/ against ${contracts}/`;
    const { files } = await compiled();
    if (!files) return { findings: [], summary: `${summary}: not checked, because the contract has errors` };
    const { stale, missing, extra } = await driftOf(out, files);
    const finding = (path: string, what: string): Finding => ({
      rule: 'generated-drift',
      severity: 'error',
      message: `\`${path}\` ${what}.`,
      hint: 'Run `npm run generate`.',
      location: { file: relative(contracts, join(out, path)), line: 1, column: 1, pointer: '' },
    });
    return {
      findings: [
        ...stale.map((path) => finding(path, 'is out of date with the contract')),
        ...missing.map((path) => finding(path, 'is missing')),
        ...extra.map((path) => finding(path, 'is no longer generated from the contract')),
      ],
      summary,
    };
  },

  /** Whether there are breaking changes since the last release. */
  async changes({ contracts }) {
    const { edition } = await readEdition(contracts);
    if (!edition) return { findings: [], summary: 'not checked, because the contract has errors' };
    const comparison = await compareWithReleased(contracts, edition);
    const { since, impact, isNewApiVersion, apiVersion, changes } = comparison;
    if (!since) return { findings: [], summary: 'nothing has been released yet' };
    const permission = isNewApiVersion ? `, which ${apiVersion} allows` : '';
    const count = `${changes.length} ${changes.length === 1 ? 'change' : 'changes'}`;
    const summary = `${count} since ${since.version}${impact ? `: ${impact}${permission}` : ''}`;
    return { findings: breakingFindings(comparison), summary };
  },
};

/** Runs checks of the gate concurrently; all of them if left out. */
export function runGate(options: GateOptions, pieces: readonly Piece[] = PIECES): Promise<readonly Verdict[]> {
  let compiling: Promise<Compiled> | undefined;
  const compiled = (): Promise<Compiled> => (compiling ??= compileContract(options.contracts, libraryFor(options.out)));
  return Promise.all(pieces.map(async (piece) => ({ piece, ...(await CHECKS[piece]({ ...options, compiled })) })));
}
