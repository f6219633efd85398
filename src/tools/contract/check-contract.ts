import { formatFindings, MAX_WARNINGS } from '../../compiler/findings/report.ts';
import { formatGithub, formatJson, formatSarif } from '../../compiler/gate/formats.ts';
import { runGate, type Verdict } from '../../compiler/gate/gate.ts';
import type { Piece } from '../../compiler/gate/pieces.ts';
import type { ReportFormat } from './report-formats.ts';

export interface CheckOptions {
  /** Folder of the contract. */
  readonly contracts: string;
  /** Folder of what was generated from it. */
  readonly out: string;
  readonly pieces: readonly Piece[];
  readonly format: ReportFormat;
  /** Prints every warning. */
  readonly all?: boolean | undefined;
}

/** Checks a contract and prints the verdicts. Resolves with the exit code: 1 for any error. */
export async function checkContract(options: CheckOptions): Promise<number> {
  const verdicts = await runGate(options, options.pieces);
  print(verdicts, options);
  return verdicts.some(({ findings }) => failed(findings)) ? 1 : 0;
}

function print(verdicts: readonly Verdict[], { format, contracts, all = false }: CheckOptions): void {
  if (format === 'json') console.log(formatJson(verdicts));
  else if (format === 'sarif') console.log(formatSarif(verdicts, contracts));
  else if (format === 'github') console.log(formatGithub(verdicts, contracts));
  else for (const verdict of verdicts) printForPeople(verdict, all);
}

function printForPeople({ piece, findings, summary }: Verdict, all: boolean): void {
  console.log(`${failed(findings) ? '✗' : '✓'} ${piece.padEnd(8)}  ${summary}`);
  if (findings.length === 0) return;
  const maxWarnings = all ? undefined : MAX_WARNINGS;
  console.log(`\n${formatFindings(findings, { colour: process.stdout.isTTY, maxWarnings })}\n`);
}

const failed = (findings: Verdict['findings']): boolean => findings.some(({ severity }) => severity === 'error');
