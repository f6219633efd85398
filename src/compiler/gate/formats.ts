import { posix } from 'node:path';
import type { Finding, Location } from '../findings/finding.ts';
import type { Verdict } from './gate.ts';

const SARIF_SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

const allOf = (verdicts: readonly Verdict[]): readonly Finding[] => verdicts.flatMap(({ findings }) => findings);

/** The path relative to the working directory; findings have paths relative to the contract's folder. */
const pathOf = (folder: string, { file }: Location): string => posix.join(folder.replaceAll('\\', '/'), file);

/** Verdicts as JSON. */
export const formatJson = (verdicts: readonly Verdict[]): string => JSON.stringify(verdicts, undefined, 2);

/** Findings for code scanning (SARIF 2.1.0). */
export function formatSarif(verdicts: readonly Verdict[], folder: string): string {
  const findings = allOf(verdicts);
  const rules = [...new Set(findings.map(({ rule }) => rule))].sort();
  const results = findings.map(({ rule, severity, message, hint, location, also }) => ({
    ruleId: rule,
    ruleIndex: rules.indexOf(rule),
    level: severity,
    message: { text: hint === undefined ? message : `${message} ${hint}` },
    locations: [sarifLocation(folder, location)],
    ...(also && { relatedLocations: [sarifLocation(folder, also)] }),
  }));
  const tool = { driver: { name: 'Lockstep', rules: rules.map((id) => ({ id })) } };
  return JSON.stringify({ $schema: SARIF_SCHEMA, version: '2.1.0', runs: [{ tool, results }] }, undefined, 2);
}

function sarifLocation(folder: string, location: Location): object {
  return {
    physicalLocation: {
      artifactLocation: { uri: encodeURI(pathOf(folder, location)) },
      region: { startLine: location.line, startColumn: location.column },
    },
    ...(location.pointer !== '' && { logicalLocations: [{ fullyQualifiedName: location.pointer }] }),
  };
}

/** Findings as annotations of GitHub Actions (Workflow commands, "Setting an error message"). */
export function formatGithub(verdicts: readonly Verdict[], folder: string): string {
  return allOf(verdicts)
    .map(({ rule, severity, message, hint, location }) => {
      const properties = [
        `file=${property(pathOf(folder, location))}`,
        `line=${location.line}`,
        `col=${location.column}`,
        `title=${property(rule)}`,
      ];
      return `::${severity} ${properties.join(',')}::${data(hint === undefined ? message : `${message}\n${hint}`)}`;
    })
    .join('\n');
}

const data = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
