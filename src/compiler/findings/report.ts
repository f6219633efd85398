import { styleText } from 'node:util';
import { codeFrame } from './code-frame.ts';
import { type Finding, isError } from './finding.ts';
import type { Fix } from './fix.ts';

/**
 * Warnings that commands print by default; a document that does not follow the conventions breaks hundreds of rules.
 */
export const MAX_WARNINGS = 20;

export interface ReportOptions {
  readonly colour?: boolean | undefined;
  /** Warnings printed in full, summaries before others; the rest are counted by rule. All of them if left out. */
  readonly maxWarnings?: number | undefined;
  /** Returns the text of a contract file, to show the lines concerned. */
  readonly read?: ((file: string) => string | undefined) | undefined;
  /** Returns where a rule is documented, to print it with each finding. */
  readonly page?: ((rule: string) => string) | undefined;
}

type Style = 'red' | 'yellow' | 'dim' | 'bold';
type Paint = (style: Style, text: string) => string;

/**
 * Findings for a terminal, ordered by file and line: location, severity, rule, message, hint and JSON pointer; then
 * totals.
 */
export function formatFindings(findings: readonly Finding[], options: ReportOptions = {}): string {
  const { colour = false, maxWarnings = Number.POSITIVE_INFINITY, read, page } = options;
  const paint: Paint = (style, text) => (colour ? styleText(style, text, { validateStream: false }) : text);
  const sorted = findings.toSorted(byLocation);
  const warnings = [...sorted.filter(isSummary), ...sorted.filter((one) => isWarning(one) && !isSummary(one))];
  const shown = sorted.filter((finding) => !isWarning(finding) || warnings.indexOf(finding) < maxWarnings);
  const hidden = warnings.slice(maxWarnings);
  const rest = hidden.length > 0 ? [countByRule(hidden)] : [];
  return [
    ...shown.map((finding) => describe(finding, paint, read, page)),
    ...rest,
    paint('bold', summary(findings)),
  ].join('\n\n');
}

/** What would make a resource of what other tools have written. */
export const isSummary = ({ rule }: Finding): boolean => rule === 'resource-fit';

const isWarning = ({ severity }: Finding): boolean => severity === 'warning';

function countByRule(warnings: readonly Finding[]): string {
  const rules = Object.entries(Object.groupBy(warnings, ({ rule }) => rule));
  const counts = rules.map(([rule, found]) => `${rule} ${found!.length}`).sort();
  return `and ${count(warnings.length, 'more warning')} (all with --all): ${counts.join(', ')}`;
}

function byLocation({ location: a }: Finding, { location: b }: Finding): number {
  return a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line || a.column - b.column;
}

function describe(
  { location, also, severity, rule, message, hint, fix }: Finding,
  paint: Paint,
  read: ReportOptions['read'],
  page: ReportOptions['page'],
): string {
  const { file, line, column, pointer } = location;
  const text = read?.(file);
  const level = paint(severity === 'error' ? 'red' : 'yellow', severity);
  return [
    `${paint('bold', `${file}:${line}:${column}`)}  ${level}  ${paint('dim', rule)}`,
    `  ${message}`,
    ...(also === undefined ? [] : [`  and ${paint('bold', `${also.file}:${also.line}:${also.column}`)}`]),
    `  hint: ${hint}`,
    ...(fix === undefined ? [] : fixLines(fix, paint)),
    ...(page === undefined ? [] : [`  see ${paint('dim', page(rule))}`]),
    ...(text === undefined ? [] : [codeFrame(text, location).replaceAll(/^/gm, '  ')]),
    `  ${paint('dim', `at ${pointer === '' ? '/' : pointer}`)}`,
  ].join('\n');
}

/** `fix: at schema.graphql:12:3 write …`, with text of several lines below. */
function fixLines({ file, line, column, end, text }: Fix, paint: Paint): string[] {
  const written = text.trim().split('\n');
  const what = text.trim() === '' ? 'remove the text there' : end ? 'write instead' : 'add';
  const head = `  fix: at ${paint('bold', `${file}:${line}:${column}`)} ${what}`;
  if (text.trim() === '') return [head];
  return written.length === 1 ? [`${head} \`${written[0]}\``] : [`${head}`, ...written.map((one) => `    ${one}`)];
}

function summary(findings: readonly Finding[]): string {
  const errors = findings.filter(isError).length;
  return `${count(errors, 'error')}, ${count(findings.length - errors, 'warning')}`;
}

const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`;
