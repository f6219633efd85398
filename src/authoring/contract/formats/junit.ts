import { type Finding, isError } from '../../../compiler/findings/index.ts';
import type { Verdict } from '../../../compiler/gate/index.ts';
import { pathOf } from './shown.ts';

/** Verdicts as JUnit's XML: a suite for each check, a failed case for each error; warnings are output of their suite. */
export function formatJunit(verdicts: readonly Verdict[], folder: string): string {
  const suites = verdicts.map((verdict) => suiteOf(verdict, folder)).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="lockstep contract">\n${suites}</testsuites>`;
}

function suiteOf(verdict: Verdict, folder: string): string {
  const { piece, summary, findings } = verdict;
  const found: readonly Finding[] = findings;
  const failures = found.filter(isError).map((one) => failure(piece, one, folder));
  const warnings = found
    .filter(({ severity }) => severity === 'warning')
    .map((one) => `${placeOf(one, folder)} ${one.message}\n`);
  const [errors, skipped] = verdict.status !== 'not-run' ? [0, 0] : verdict.isBlocked ? [1, 0] : [0, 1];
  const outcome =
    errors + skipped > 0
      ? `<${errors > 0 ? 'error' : 'skipped'}${attributes({ message: `not run: ${summary}` })}/>`
      : '';
  const whole = `    <testcase${attributes({ classname: piece, name: summary })}>${outcome}</testcase>\n`;
  const cases = failures.length > 0 ? failures : [whole];
  const output = warnings.length > 0 ? `    <system-out>${xml(warnings.join(''))}</system-out>\n` : '';
  const head = attributes({ name: piece, tests: cases.length, failures: failures.length, errors, skipped });
  return `  <testsuite${head}>\n${cases.join('')}${output}  </testsuite>\n`;
}

function failure(piece: string, finding: Finding, folder: string): string {
  const { rule, message, hint, location } = finding;
  const name = `${rule} ${placeOf(finding, folder)}`;
  const place = attributes({ classname: piece, name, file: pathOf(folder, location), line: location.line });
  const text = xml(`${message}\n${hint}`);
  return `    <testcase${place}><failure${attributes({ type: rule, message })}>${text}</failure></testcase>\n`;
}

const placeOf = ({ location }: Finding, folder: string): string =>
  `${pathOf(folder, location)}:${location.line}:${location.column}`;

const attributes = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${xml(String(value)).replaceAll('"', '&quot;').replace(/\s+/g, ' ')}"`)
    .join('');

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Text, without the characters that XML 1.0 has no way to write. */
const xml = (text: string): string =>
  text.replace(/[&<>]|[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, (one) => ESCAPES[one] ?? '');
