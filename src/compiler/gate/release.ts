import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from '../../descriptor/config-error.ts';
import type { Keep } from '../../descriptor/keep.ts';
import { type Compiled, compileContract } from '../compile-contract.ts';
import { libraryFor } from '../emit/folder/library.ts';
import { replaceFile, writeOutput } from '../emit/folder/output-folder.ts';
import { type Finding, isError } from '../findings/finding.ts';
import { entryOf } from '../read/read-contract.ts';
import { RELEASED } from '../sdl/read-sdl.ts';
import { formatChangelog } from './changes/changelog.ts';
import { type Comparison, compareWithReleased, findingsOf } from './changes/compare.ts';
import { type Edition, readEdition } from './changes/edition.ts';
import { type Release, readReleases, releaseFolder } from './changes/releases.ts';

export interface ReleaseOptions {
  readonly contracts: string;
  readonly out: string;
  /** The date in UTC: `2026-11-21`. */
  readonly date: string;
  /** Whether to write nothing. */
  readonly isDryRun: boolean;
  readonly keep?: Keep | undefined;
}

/** The outcome: errors that prevent a release, nothing to release, or the release. */
export type ReleaseOutcome =
  | { readonly kind: 'refused'; readonly findings: readonly Finding[] }
  | { readonly kind: 'unchanged'; readonly since: Release }
  | { readonly kind: 'released'; readonly release: Release };

const VERSION = /^(\d+)\.(\d+)\.(\d+)$/;

/**
 * Releases a contract: sets its version according to what has changed, generates the output again, and stores both
 * documents, which the next release is compared with. Throws `ConfigError` when the contract has no valid version.
 */
export async function releaseContract(options: ReleaseOptions): Promise<ReleaseOutcome> {
  const { contracts, date, isDryRun, keep } = options;
  const { edition, findings } = await readEdition(contracts);
  const faults = findings.filter(isError);
  if (!edition || faults.length > 0) return { kind: 'refused', findings: faults };
  const outcome = outcomeOf(await compareWithReleased(contracts, edition, date, keep), edition, date);
  if (outcome.kind === 'released' && !isDryRun) await record(outcome.release, edition, options);
  return outcome;
}

/** What becomes of a contract that is to be released on that date, by how it compares with the last release. */
export function outcomeOf(comparison: Comparison, edition: Edition, date: string): ReleaseOutcome {
  const { since, isNewApiVersion, apiVersion, changes } = comparison;
  const findings = findingsOf(comparison);
  if (findings.some(isError)) return { kind: 'refused', findings };
  if (since && !isNewApiVersion && changes.length === 0) return { kind: 'unchanged', since };
  const version = nextVersion(comparison, versionOf(edition));
  return { kind: 'released', release: { version, apiVersion, date, changes: recordOf(comparison) } };
}

function recordOf({ changes, waived }: Comparison): Release['changes'] {
  const reasons = new Map(waived.map(({ change, waiver }) => [change, waiver.reason]));
  return changes.map((change) => {
    const { impact, area, rule, subject, facts, message } = change;
    const reason = reasons.get(change);
    return { impact, area, rule, subject, facts, message, ...(reason !== undefined && { waived: reason }) };
  });
}

const versionOf = ({ model }: Edition): string => String(model.document.info.version);

/**
 * The version by what has changed since the last release (Semantic Versioning 2.0.0); a new API version starts with
 * its number. A break that is waived is a break.
 */
function nextVersion({ since, isNewApiVersion, apiVersion, impact }: Comparison, own: string): string {
  if (!since) {
    if (VERSION.test(own)) return own;
    throw new ConfigError([`info.version: ${own} is not a version such as 1.0.0`]);
  }
  const [major, minor, patch] = VERSION.exec(since.version)!.slice(1).map(Number) as [number, number, number];
  if (isNewApiVersion) return `${Math.max(major + 1, Number(/\d+/.exec(apiVersion)?.[0] ?? 0))}.0.0`;
  if (impact === 'major') return `${major + 1}.0.0`;
  return impact === 'minor' ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}

/**
 * Writes the version first, which generated files contain, and the record last, so that a failed release can be
 * repeated.
 */
async function record(release: Release, edition: Edition, { contracts, out, keep }: ReleaseOptions): Promise<void> {
  const { folder } = await entryOf(contracts);
  await writeVersion(edition, folder, release.version);
  const compiled = await compileContract(contracts, libraryFor(out), keep);
  await writeOutput(out, compiled.files!);
  await rm(releaseFolder(folder, release.apiVersion), { recursive: true, force: true });
  for (const [path, text] of recordedFiles(release, compiled, readReleases(folder)))
    await replaceFile(join(folder, RELEASED, path), text);
}

/** The files that record a release, by their path below `released/`; the record itself is the last. */
export function recordedFiles(
  release: Release,
  { files, model }: Compiled,
  earlier: readonly Release[],
): ReadonlyMap<string, string> {
  const releases = [release, ...earlier];
  const documents = ['openapi.json', 'schema.graphql'].filter((name) => files!.has(name));
  return new Map([
    ...documents.map((name) => [`${release.apiVersion}/${name}`, files!.get(name)!] as const),
    ['CHANGELOG.md', formatChangelog(model!.document.info.title, releases)],
    ['releases.json', `${JSON.stringify(releases, undefined, 2)}\n`],
  ]);
}

/** Changes `info.version` in the author's file, and nothing else. */
async function writeVersion(edition: Edition, folder: string, version: string): Promise<void> {
  const own = versionOf(edition);
  if (own === version) return;
  const { file, line } = edition.at('/info/version');
  const path = join(folder, file);
  const lines = (await readFile(path, 'utf8')).split('\n');
  const changed = lines[line - 1]!.replace(own, version);
  if (changed === lines[line - 1])
    throw new ConfigError([`${path}:${line}: the version ${own} was not found in this line`]);
  lines[line - 1] = changed;
  await replaceFile(path, lines.join('\n'));
}
