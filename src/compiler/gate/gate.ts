import { join, relative } from 'node:path';
import { type Compiled, compileContract } from '../compile-contract.ts';
import { libraryFor } from '../emit/library.ts';
import { driftOf } from '../emit/output-folder.ts';
import type { Finding } from '../findings/finding.ts';
import { breakingFindings, compareWithReleased } from './changes/compare.ts';
import { readEdition } from './changes/edition.ts';
import { lintFindings } from './lint.ts';

/** What keeps a contract honest, piece by piece. */
export const PIECES = ['lint', 'contract', 'drift', 'changes'] as const;
export type Piece = (typeof PIECES)[number];

export interface GateOptions {
  /** Folder of the contract. */
  readonly contracts: string;
  /** Folder of what was generated from it. */
  readonly out: string;
}

/** How one piece judged. */
export interface Verdict {
  readonly piece: Piece;
  readonly findings: readonly Finding[];
  /** What was looked at, and what came of it, in a line. */
  readonly summary: string;
}

/** What several pieces look at, compiled once. */
interface Looked extends GateOptions {
  readonly compiled: () => Promise<Compiled>;
}

const CHECKS: Readonly<Record<Piece, (looked: Looked) => Promise<Omit<Verdict, 'piece'>>>> = {
  /** The rules of OpenAPI, by Redocly. */
  async lint({ contracts }) {
    return { findings: await lintFindings(contracts), summary: 'OpenAPI rules' };
  },

  /** The conventions of both documents, and that they say the same. */
  async contract({ compiled }) {
    const { findings, parity } = await compiled();
    const facts = parity.length === 0 ? 'REST only' : `${parity.length} facts of both protocols`;
    return { findings, summary: `conventions, ${facts}` };
  },

  /** That what was generated is what would be generated now. */
  async drift({ contracts, out, compiled }) {
    const summary = `${out}/ against ${contracts}/`;
    const { files } = await compiled();
    if (!files) return { findings: [], summary: `${summary}: not looked at, the contract has errors` };
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
        ...stale.map((path) => finding(path, 'is not what the contract gives')),
        ...missing.map((path) => finding(path, 'is missing')),
        ...extra.map((path) => finding(path, 'comes from nothing in the contract')),
      ],
      summary,
    };
  },

  /** That nobody who relies on the last release breaks. */
  async changes({ contracts }) {
    const { edition } = await readEdition(contracts);
    if (!edition) return { findings: [], summary: 'not looked at, the contract has errors' };
    const comparison = await compareWithReleased(contracts, edition);
    const { since, impact, isNewApiVersion, apiVersion, changes } = comparison;
    if (!since) return { findings: [], summary: 'nothing is released yet' };
    const freedom = isNewApiVersion ? `, as ${apiVersion} may` : '';
    const count = `${changes.length} ${changes.length === 1 ? 'change' : 'changes'}`;
    const summary = `${count} since ${since.version}${impact ? `: ${impact}${freedom}` : ''}`;
    return { findings: breakingFindings(comparison), summary };
  },
};

/** Runs pieces of the gate, all of them at once. */
export function runGate(options: GateOptions, pieces: readonly Piece[] = PIECES): Promise<readonly Verdict[]> {
  let compiling: Promise<Compiled> | undefined;
  const compiled = (): Promise<Compiled> => (compiling ??= compileContract(options.contracts, libraryFor(options.out)));
  return Promise.all(pieces.map(async (piece) => ({ piece, ...(await CHECKS[piece]({ ...options, compiled })) })));
}
