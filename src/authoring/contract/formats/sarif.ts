import type { Fix, Location } from '../../../compiler/findings/index.ts';
import { breakingRule, type Change, type WaivedChange } from '../../../compiler/gate/changes/index.ts';
import type { Verdict } from '../../../compiler/gate/index.ts';
import { rulePage, ruleTextOf } from '../../../compiler/rules/texts/index.ts';
import { pathOf } from './shown.ts';

const SARIF_SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

/** A result before its rule has a place in the list of rules. */
interface Result {
  readonly ruleId: string;
  readonly [property: string]: unknown;
}

/** Verdicts for code scanning (SARIF 2.1.0): findings, waived breaks as suppressed, and what else has changed as notes. */
export function formatSarif(verdicts: readonly Verdict[], folder: string): string {
  const results = verdicts.flatMap((verdict) => resultsOf(verdict, folder));
  const rules = [...new Set(results.map(({ ruleId }) => ruleId))].sort();
  const run = {
    // JavaScript counts in them, and so do our positions.
    columnKind: 'utf16CodeUnits',
    tool: { driver: { name: 'Lockstep', rules: rules.map(describedRule) } },
    invocations: [
      {
        executionSuccessful: verdicts.every((verdict) => verdict.status !== 'not-run' || !verdict.isBlocked),
        toolExecutionNotifications: verdicts.flatMap(notRun),
      },
    ],
    results: results.map((result) => ({ ...result, ruleIndex: rules.indexOf(result.ruleId) })),
  };
  return JSON.stringify({ $schema: SARIF_SCHEMA, version: '2.1.0', runs: [run] }, undefined, 2);
}

const resultsOf = (verdict: Verdict, folder: string): readonly Result[] => [
  ...verdict.findings.map(({ rule, severity, message, hint, location, also, consumers = [], fix }) => ({
    ruleId: rule,
    level: severity,
    message: { text: `${message} ${hint}` },
    locations: [sarifLocation(folder, location)],
    ...relatedTo([...(also ? [also] : []), ...consumers.map((one) => one.location)], folder),
    ...(fix && { fixes: [sarifFix(folder, fix)] }),
  })),
  ...(verdict.status === 'not-run' ? [] : (verdict.waived ?? []).map((one) => suppressed(one, folder))),
  ...(verdict.status === 'not-run' ? [] : (verdict.changes ?? []).map((change) => note(change, folder))),
];

const relatedTo = (locations: readonly Location[], folder: string): object =>
  locations.length === 0 ? {} : { relatedLocations: locations.map((location) => sarifLocation(folder, location)) };

/** The edit that `--fix` writes (SARIF 2.1.0, 3.55); a region without extent is where text is inserted. */
function sarifFix(folder: string, fix: Fix): object {
  const { line, column, end = { line, column }, text } = fix;
  const deletedRegion = { startLine: line, startColumn: column, endLine: end.line, endColumn: end.column };
  return {
    description: { text: 'The edit of `lockstep contract --fix`.' },
    artifactChanges: [
      { artifactLocation: artifact(folder, fix), replacements: [{ deletedRegion, insertedContent: { text } }] },
    ],
  };
}

function suppressed({ change, waiver }: WaivedChange, folder: string): Result {
  const { message, location } = change;
  return {
    ruleId: breakingRule(change),
    level: 'error',
    message: { text: message },
    locations: [sarifLocation(folder, location)],
    suppressions: [{ kind: 'inSource', justification: `${waiver.reason} (until ${waiver.until})` }],
  };
}

function note({ impact, message, location }: Change, folder: string): Result {
  return {
    ruleId: `change-${impact}`,
    level: 'note',
    message: { text: message },
    locations: [sarifLocation(folder, location)],
  };
}

function notRun(verdict: Verdict): readonly object[] {
  if (verdict.status !== 'not-run') return [];
  const text = `The check \`${verdict.piece}\` was not run: ${verdict.summary}.`;
  return [{ level: verdict.isBlocked ? 'error' : 'note', message: { text } }];
}

function describedRule(id: string): object {
  const { summary, advice, uri } = ruleTextOf(id);
  const page = rulePage(id);
  return {
    id,
    shortDescription: { text: summary },
    fullDescription: { text: advice },
    help: { text: `${advice} See ${page}.`, markdown: `${advice} See [${page}](${page}).` },
    ...(uri !== undefined && { helpUri: uri }),
  };
}

const artifact = (folder: string, file: Pick<Location, 'file'>): object => ({ uri: encodeURI(pathOf(folder, file)) });

function sarifLocation(folder: string, location: Location): object {
  return {
    physicalLocation: {
      artifactLocation: artifact(folder, location),
      region: { startLine: location.line, startColumn: location.column },
    },
    ...(location.pointer !== '' && { logicalLocations: [{ fullyQualifiedName: location.pointer }] }),
  };
}
