import type { Finding } from '../../../compiler/findings/finding.ts';
import type { Verdict } from '../../../compiler/gate/gate.ts';
import { pathOf } from './formats.ts';

/** Verdicts as JUnit's XML: a suite for each check, a failed case for each error; warnings are output of their suite. */
export function formatJunit(verdicts: readonly Verdict[], folder: string): string {
  const suites = verdicts.map((verdict) => suiteOf(verdict, folder)).join('');
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="lockstep contract">\n${suites}</testsuites>`;
}

function suiteOf(verdict: Verdict, folder: string): string {
  const { piece, summary, findings } = verdict;
  const failed = findings
    .filter(({ severity }) => severity === 'error')
    .map((finding) => failure(piece, finding, folder));
  const [tag, count] =
    verdict.status !== 'not-run' ? [] : verdict.isBlocked ? ['error', 'errors'] : ['skipped', 'skipped'];
  const outcome = tag === undefined ? '' : `<${tag}${attributes({ message: `not run: ${summary}` })}/>`;
  const own = `    <testcase${attributes({ classname: piece, name: summary })}>${outcome}</testcase>\n`;
  const cases = failed.length > 0 ? failed : [own];
  const warnings = findings
    .filter(({ severity }) => severity === 'warning')
    .map((one) => `${placeOf(one, folder)} ${one.message}\n`);
  const output = warnings.length > 0 ? `    <system-out>${xml(warnings.join(''))}</system-out>\n` : '';
  const counts = { tests: cases.length, failures: failed.length, errors: 0, skipped: 0, ...(count && { [count]: 1 }) };
  return `  <testsuite${attributes({ name: piece, ...counts })}>\n${cases.join('')}${output}  </testsuite>\n`;
}

function failure(piece: string, finding: Finding, folder: string): string {
  const { rule, message, hint, location } = finding;
  const name = `${rule} ${placeOf(finding, folder)}`;
  const place = { classname: piece, name, file: pathOf(folder, location), line: location.line };
  const text = hint === undefined ? message : `${message}\n${hint}`;
  return `    <testcase${attributes(place)}><failure${attributes({ type: rule, message })}>${xml(text)}</failure></testcase>\n`;
}

const placeOf = ({ location }: Finding, folder: string): string =>
  `${pathOf(folder, location)}:${location.line}:${location.column}`;

const attributes = (values: Readonly<Record<string, string | number>>): string =>
  Object.entries(values)
    .map(([name, value]) => ` ${name}="${xml(String(value)).replaceAll('"', '&quot;').replace(/\s+/g, ' ')}"`)
    .join('');

/** Text, without the characters that XML 1.0 has no way to write. */
const xml = (text: string): string =>
  text
    .replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
