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

/** All differences between two contracts. */
export async function changesBetween(released: Edition, current: Edition): Promise<readonly Change[]> {
  const [rest, graphql] = await Promise.all([restChanges(released, current), graphqlChanges(released, current)]);
  return [...rest, ...conventionChanges(released, current), ...graphql, ...storageChanges(released, current)];
}

/** A contract compared with its last release. */
export interface Comparison {
  /** The API version that the contract serves (`v1`). */
  readonly apiVersion: string;
  /** The release compared with; undefined when nothing has been released. */
  readonly since: Release | undefined;
  /** Whether the contract starts a new API version, which may have breaking changes. */
  readonly isNewApiVersion: boolean;
  readonly changes: readonly Change[];
  readonly impact: Impact | undefined;
}

/**
 * Compares a contract with the last release of its API version, or with the newest release when it starts a new API
 * version. Throws `ConfigError` when that release cannot be read.
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
  if (!edition) throw new ConfigError([`${kept} is not a contract: ${findings[0]?.message ?? 'it cannot be read'}`]);
  const changes = await changesBetween(edition, current);
  return { apiVersion, since, isNewApiVersion: !own, changes, impact: impactOf(changes) };
}

const HINT =
  'Keep what clients rely on, or start a new API version under another path in `servers`; the old one can still be served.';

/** Breaking changes as findings; none in a new API version, where they are allowed. */
export function breakingFindings({ changes, since, isNewApiVersion }: Comparison): readonly Finding[] {
  if (isNewApiVersion) return [];
  return changes
    .filter(({ impact }) => impact === 'major')
    .map(({ area, rule, message, location }) => ({
      rule: `breaking-${area}/${rule}`,
      severity: 'error',
      message: `${message} This breaks clients of ${since!.version}.`,
      hint: HINT,
      location,
    }));
}
