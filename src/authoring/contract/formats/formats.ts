import { posix } from 'node:path';
import type { Finding, Location } from '../../../compiler/findings/index.ts';
import type { Change } from '../../../compiler/gate/changes/index.ts';
import type { Verdict } from '../../../compiler/gate/index.ts';
import { rulePage } from '../../../compiler/rules/texts/index.ts';

/** The path relative to the working directory; findings have paths relative to the contract's folder. */
export const pathOf = (folder: string, { file }: Pick<Location, 'file'>): string =>
  posix.join(folder.replaceAll('\\', '/'), file);

/** The differences that a verdict allows, and those that the contract waives; none of checks that compare nothing. */
export function allowedChanges(verdict: Verdict): readonly { readonly change: Change; readonly label: string }[] {
  if (verdict.status === 'not-run') return [];
  const { changes = [], waived = [] } = verdict;
  return [
    ...waived.map(({ change, waiver: { reason, until } }) => ({
      change: { ...change, message: `${change.message} Waived until ${until}: ${reason}` },
      label: 'waived',
    })),
    ...changes.map((change) => ({ change, label: change.impact })),
  ];
}

/** Verdicts as JSON; each finding has the page of its rule. */
export function formatJson(verdicts: readonly Verdict[]): string {
  const linked = verdicts.map((verdict) => ({
    ...verdict,
    findings: verdict.findings.map((finding) => ({ ...finding, page: rulePage(finding.rule) })),
  }));
  return JSON.stringify(linked, undefined, 2);
}

/** Findings as annotations of GitHub Actions (Workflow commands, "Setting an error message"). */
export function formatGithub(verdicts: readonly Verdict[], folder: string): string {
  return verdicts
    .flatMap((verdict) => [
      ...(verdict.status === 'not-run'
        ? [`::notice title=${property(verdict.piece)}::${data(`Not run: ${verdict.summary}.`)}`]
        : []),
      ...verdict.findings.map((finding) => annotation(folder, finding)),
      ...allowedChanges(verdict).map(({ change, label }) => {
        const { location, message, area, rule } = change;
        return command('notice', folder, location, `${label}: ${area}/${rule}`, message);
      }),
    ])
    .join('\n');
}

function annotation(folder: string, { rule, severity, message, hint, location }: Finding): string {
  const text = [message, hint, `See ${rulePage(rule)}`].join('\n');
  return command(severity, folder, location, rule, text);
}

function command(kind: string, folder: string, location: Location, title: string, text: string): string {
  const properties = [
    `file=${property(pathOf(folder, location))}`,
    `line=${location.line}`,
    `col=${location.column}`,
    `title=${property(title)}`,
  ];
  return `::${kind} ${properties.join(',')}::${data(text)}`;
}

const data = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
