import { ConfigError } from '../../../descriptor/config-error.ts';
import type { Finding } from '../../findings/finding.ts';
import { entryOf } from '../../read/read-contract.ts';
import { type Change, type Impact, impactOf } from './change.ts';
import { conventionChanges } from './convention-changes.ts';
import { type Edition, readEdition } from './edition.ts';
import { graphqlChanges } from './graphql-changes.ts';
import { apiVersionOf, type Release, readReleases, releaseFolder } from './releases.ts';
import { restChanges } from './rest-changes.ts';
import { storageChanges } from './storage-changes.ts';

/** What sets two contracts apart. */
export async function changesBetween(released: Edition, current: Edition): Promise<readonly Change[]> {
  const [rest, graphql] = await Promise.all([restChanges(released, current), graphqlChanges(released, current)]);
  return [...rest, ...conventionChanges(released, current), ...graphql, ...storageChanges(released, current)];
}

/** A contract beside its last release. */
export interface Comparison {
  /** The API version that the contract serves (`v1`). */
  readonly apiVersion: string;
  /** Undefined when nothing was released yet. */
  readonly since: Release | undefined;
  /** The contract may break those who use an earlier API version. */
  readonly isNewApiVersion: boolean;
  readonly changes: readonly Change[];
  readonly impact: Impact | undefined;
}

/**
 * Compares a contract with the last release of its API version; with the newest of all when it begins a new one.
 * Throws `ConfigError` when that release cannot be read.
 */
export async function compareWithReleased(contracts: string, current: Edition): Promise<Comparison> {
  const { folder } = await entryOf(contracts);
  const releases = readReleases(folder);
  const apiVersion = apiVersionOf(current);
  const own = releases.find((release) => release.apiVersion === apiVersion);
  const since = own ?? releases[0];
  if (!since) return { apiVersion, since, isNewApiVersion: true, changes: [], impact: undefined };
  const kept = releaseFolder(folder, since.apiVersion);
  const { edition, findings } = await readEdition(kept);
  if (!edition) throw new ConfigError([`${kept} is no contract: ${findings[0]?.message ?? 'it cannot be read'}`]);
  const changes = await changesBetween(edition, current);
  return { apiVersion, since, isNewApiVersion: !own, changes, impact: impactOf(changes) };
}

const HINT =
  'Keep what callers rely on, or begin a new API version: another path in `servers`, the old one stays served.';

/** Changes that break callers, as faults of the contract; none where they may. */
export function breakingFindings({ changes, since, isNewApiVersion }: Comparison): readonly Finding[] {
  if (isNewApiVersion) return [];
  return changes
    .filter(({ impact }) => impact === 'major')
    .map(({ area, rule, message, location }) => ({
      rule: `breaking-${area}/${rule}`,
      severity: 'error',
      message: `${message} That breaks what ${since!.version} promised.`,
      hint: HINT,
      location,
    }));
}
