import { styleText } from 'node:util';
import type { Finding } from './finding.ts';

export interface ReportOptions {
  readonly colour?: boolean | undefined;
}

type Style = 'red' | 'yellow' | 'dim' | 'bold';
type Paint = (style: Style, text: string) => string;

/** Findings for a terminal, by file and line: place, severity, rule, message, JSON pointer, hint; then their count. */
export function formatFindings(findings: readonly Finding[], { colour = false }: ReportOptions = {}): string {
  const paint: Paint = (style, text) => (colour ? styleText(style, text, { validateStream: false }) : text);
  const sorted = findings.toSorted(byPlace);
  return [...sorted.map((finding) => describe(finding, paint)), paint('bold', summary(findings))].join('\n\n');
}

function byPlace({ location: a }: Finding, { location: b }: Finding): number {
  return a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line || a.column - b.column;
}

function describe({ location, severity, rule, message, hint }: Finding, paint: Paint): string {
  const { file, line, column, pointer } = location;
  const level = paint(severity === 'error' ? 'red' : 'yellow', severity);
  return [
    `${paint('bold', `${file}:${line}:${column}`)}  ${level}  ${paint('dim', rule)}`,
    `  ${message}`,
    ...(hint === undefined ? [] : [`  hint: ${hint}`]),
    `  ${paint('dim', `at ${pointer === '' ? '/' : pointer}`)}`,
  ].join('\n');
}

function summary(findings: readonly Finding[]): string {
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  return `${count(errors, 'error')}, ${count(findings.length - errors, 'warning')}`;
}

const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`;
