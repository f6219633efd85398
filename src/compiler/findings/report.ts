import { styleText } from 'node:util';
import { codeFrame } from './code-frame.ts';
import type { Finding } from './finding.ts';

/** As many as a command tells by itself: a document that follows no convention breaks hundreds of rules. */
export const MAX_WARNINGS = 20;

export interface ReportOptions {
  readonly colour?: boolean | undefined;
  /** Warnings told in full; of the others, how many each rule has. All when left out; errors are always told. */
  readonly maxWarnings?: number | undefined;
  /** Text of a file of the contract, to show the lines that are meant. */
  readonly read?: ((file: string) => string | undefined) | undefined;
}

type Style = 'red' | 'yellow' | 'dim' | 'bold';
type Paint = (style: Style, text: string) => string;

/** Findings for a terminal, by file and line: place, severity, rule, message, JSON pointer, hint; then their count. */
export function formatFindings(findings: readonly Finding[], options: ReportOptions = {}): string {
  const { colour = false, maxWarnings = Number.POSITIVE_INFINITY, read } = options;
  const paint: Paint = (style, text) => (colour ? styleText(style, text, { validateStream: false }) : text);
  const sorted = findings.toSorted(byPlace);
  const warnings = sorted.filter(isWarning);
  const told = sorted.filter((finding) => !isWarning(finding) || warnings.indexOf(finding) < maxWarnings);
  const untold = warnings.slice(maxWarnings);
  const rest = untold.length > 0 ? [countByRule(untold)] : [];
  return [...told.map((finding) => describe(finding, paint, read)), ...rest, paint('bold', summary(findings))].join(
    '\n\n',
  );
}

const isWarning = ({ severity }: Finding): boolean => severity === 'warning';

function countByRule(warnings: readonly Finding[]): string {
  const rules = Object.entries(Object.groupBy(warnings, ({ rule }) => rule));
  const counts = rules.map(([rule, found]) => `${rule} ${found!.length}`).sort();
  return `and ${count(warnings.length, 'more warning')} (all with --all): ${counts.join(', ')}`;
}

function byPlace({ location: a }: Finding, { location: b }: Finding): number {
  return a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line || a.column - b.column;
}

function describe(
  { location, also, severity, rule, message, hint }: Finding,
  paint: Paint,
  read: ReportOptions['read'],
): string {
  const { file, line, column, pointer } = location;
  const text = read?.(file);
  const level = paint(severity === 'error' ? 'red' : 'yellow', severity);
  return [
    `${paint('bold', `${file}:${line}:${column}`)}  ${level}  ${paint('dim', rule)}`,
    `  ${message}`,
    ...(also === undefined ? [] : [`  and ${paint('bold', `${also.file}:${also.line}:${also.column}`)}`]),
    ...(hint === undefined ? [] : [`  hint: ${hint}`]),
    ...(text === undefined ? [] : [codeFrame(text, location).replaceAll(/^/gm, '  ')]),
    `  ${paint('dim', `at ${pointer === '' ? '/' : pointer}`)}`,
  ].join('\n');
}

function summary(findings: readonly Finding[]): string {
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  return `${count(errors, 'error')}, ${count(findings.length - errors, 'warning')}`;
}

const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`;
