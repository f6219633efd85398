import type { Finding, Location } from '../../../compiler/findings/index.ts';
import type { Verdict } from '../../../compiler/gate/index.ts';
import { rulePage } from '../../../compiler/rules/texts/index.ts';
import { allowedChanges, pathOf } from './shown.ts';

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
