import { formatFindings, MAX_WARNINGS } from '../../../compiler/findings/index.ts';
import type { Verdict } from '../../../compiler/gate/index.ts';
import { PIECES } from '../../../compiler/pieces.ts';
import { rulePage } from '../../../compiler/rules/texts/index.ts';
import { allowedChanges } from './shown.ts';

export interface VerdictOptions {
  readonly colour?: boolean | undefined;
  /** Prints every warning and every change. */
  readonly isWhole: boolean;
}

const PIECE_WIDTH = Math.max(...PIECES.map(({ length }) => length));

/** Changes that are printed by default; a renamed schema has hundreds. */
const MAX_CHANGES = 20;

export const MARKS: Readonly<Record<Verdict['status'], string>> = { passed: '✓', failed: '✗', 'not-run': '–' };

/** Verdicts for a terminal: a line for each check, with its changes and findings below. */
export const formatVerdicts = (verdicts: readonly Verdict[], options: VerdictOptions): string =>
  verdicts.map((verdict) => formatVerdict(verdict, options)).join('\n');

function formatVerdict(verdict: Verdict, { colour, isWhole }: VerdictOptions): string {
  const { piece, status, summary, findings } = verdict;
  const line = `${MARKS[status]} ${piece.padEnd(PIECE_WIDTH)}  ${status === 'not-run' ? `not run: ${summary}` : summary}`;
  const maxWarnings = isWhole ? undefined : MAX_WARNINGS;
  const report =
    findings.length > 0 ? [`\n${formatFindings(findings, { colour, maxWarnings, page: rulePage })}\n`] : [];
  return [line, ...changeLines(verdict, isWhole), ...report].join('\n');
}

function changeLines(verdict: Verdict, isWhole: boolean): readonly string[] {
  const lines = allowedChanges(verdict).map(
    ({ label, change: { area, message } }) => `    ${label.padEnd(6)}  ${area.padEnd(8)}  ${message}`,
  );
  if (isWhole || lines.length <= MAX_CHANGES) return lines;
  return [...lines.slice(0, MAX_CHANGES), `    and ${lines.length - MAX_CHANGES} more (all with --all)`];
}
