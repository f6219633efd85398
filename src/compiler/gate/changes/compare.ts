import { ConfigError } from '../../../descriptor/config-error.ts';
import { KEEP_NOTHING } from '../../../descriptor/keep.ts';
import { type Finding, isError } from '../../findings/finding.ts';
import { entryOf } from '../../read/read-contract.ts';
import { breakingRule, type Change, type Impact, impactOf } from './change.ts';
import { conventionChanges } from './convention-changes.ts';
import { type Edition, readEdition } from './edition.ts';
import { graphqlChanges } from './graphql-changes.ts';
import { apiVersionOf, type Release, readReleases, releaseFolder } from './releases.ts';
import { restChanges } from './rest-changes.ts';
import { retiredCoordinates } from './retired.ts';
import { storageChanges } from './storage-changes.ts';
import { toolChanges } from './tool-changes.ts';
import { versionChanges } from './version-changes.ts';
import { applyWaivers, type WaivedChange } from './waivers.ts';
import { withdrawnChanges } from './withdrawn-changes.ts';

/** All differences between two contracts. */
export async function changesBetween(
  released: Edition,
  current: Edition,
  keep = KEEP_NOTHING,
): Promise<readonly Change[]> {
  const [rest, graphql] = await Promise.all([restChanges(released, current, keep), graphqlChanges(released, current)]);
  const withdrawn = withdrawnChanges(released, current);
  return [
    ...rest.filter((change) => !withdrawn.some((one) => isPartOf(change, one))),
    ...withdrawn,
    ...conventionChanges(released, current),
    ...graphql,
    ...toolChanges(released, current),
    ...storageChanges(released, current),
  ];
}

/** What completion puts in the place of something withdrawn differs in details, too. */
const isPartOf = ({ subject }: Change, { subject: whole }: Change): boolean =>
  subject === whole || subject.startsWith(`${whole}.`);

/** A contract compared with its last release. */
export interface Comparison {
  /** The API version that the contract serves (`v1`). */
  readonly apiVersion: string;
  /** The release compared with; undefined when nothing has been released. */
  readonly since: Release | undefined;
  /** The contract as released then. */
  readonly released: Edition | undefined;
  /** Whether the contract starts a new API version, which may have breaking changes. */
  readonly isNewApiVersion: boolean;
  readonly changes: readonly Change[];
  readonly impact: Impact | undefined;
  /** Breaking changes that nothing allows. */
  readonly broken: readonly Change[];
  /** Breaking changes that the contract waives. */
  readonly waived: readonly WaivedChange[];
  /** What is wrong with waivers. */
  readonly faults: readonly Finding[];
}

/**
 * Compares a contract with the last release of its API version, or with the newest release when it starts a new API
 * version. `date` is today in UTC: `2026-11-21`. Throws `ConfigError` when a release cannot be read.
 */
export async function compareWithReleased(
  contracts: string,
  current: Edition,
  date: string,
  keep = KEEP_NOTHING,
): Promise<Comparison> {
  const { folder } = await entryOf(contracts);
  const releases = readReleases(folder);
  const apiVersion = apiVersionOf(current);
  const [newest] = releases;
  const own = releases.find((release) => release.apiVersion === apiVersion);
  const since = own ?? newest;
  if (!newest || !since) return { ...NOTHING_RELEASED, apiVersion };
  const released = await readReleased(folder, since.apiVersion);
  const last = since === newest ? released : await readReleased(folder, newest.apiVersion);
  const served = { apiVersion: newest.apiVersion, document: last.model.document };
  const versions = versionChanges({ newest: served, current, apiVersion, date });
  const changes = [...versions, ...(await changesBetween(released, current, keep))];
  // A new API version may break what REST promised, beside the last one, and may not take away what clients call.
  const judged = own ? changes : [...versions, ...changes.filter(isOfGraphql(released))];
  const breaking = judged.filter(({ impact }) => impact === 'major');
  const { broken, waived, findings: faults } = applyWaivers(breaking, current, date);
  return {
    apiVersion,
    since,
    released,
    isNewApiVersion: !own,
    changes,
    impact: impactOf(changes),
    broken,
    waived,
    faults,
  };
}

/** GraphQL is one for all API versions: only what the last release had deprecated may go with a new one. */
function isOfGraphql({ schema }: Edition): (change: Change) => boolean {
  const isRetired = schema ? retiredCoordinates(schema) : () => false;
  return ({ area, subject }) => area === 'graphql' && !isRetired(subject);
}

const NOTHING_RELEASED = {
  since: undefined,
  released: undefined,
  isNewApiVersion: true,
  changes: [],
  impact: undefined,
  broken: [],
  waived: [],
  faults: [],
} as const;

/** What is broken, and faults of waivers. */
export const findingsOf = ({ broken, faults, since }: Comparison): readonly Finding[] => [
  ...(since ? broken.map((change) => breakingFinding(change, since)) : []),
  ...faults,
];

async function readReleased(folder: string, apiVersion: string): Promise<Edition> {
  const kept = releaseFolder(folder, apiVersion);
  const { edition, findings } = await readEdition(kept);
  const fault = findings.find(isError);
  if (!edition) throw new ConfigError([`${kept} is not a contract: ${fault?.message ?? 'it cannot be read'}`]);
  return edition;
}

const KEEP = 'Keep the parts that clients use, or start a new API version under another path in `servers`';
const HINTS: Readonly<Record<Change['area'], string>> = {
  rest: `${KEEP}; the old one can still be served.`,
  graphql:
    'Keep the parts that clients use. A part that a release has marked `@deprecated` may go with a new API version.',
  mcp: `${KEEP}: \`x-mcp\` may say so for one operation.`,
  storage: `${KEEP}; the old one can still be served.`,
  clients: `${KEEP}.`,
  versions: 'Keep the version in `info.x-versions` until the sunset that it announces there.',
};

function breakingFinding(change: Change, since: Release): Finding {
  const { area, subject, message, location, exports, consumers } = change;
  return {
    rule: breakingRule(change),
    severity: 'error',
    message: `${message} This breaks clients of ${since.version}.`,
    subject,
    hint: `${HINTS[area]} A deliberate break is waived in \`info.x-waivers\`, subject \`${subject}\`.`,
    location,
    ...(exports && { exports }),
    ...(consumers && { consumers }),
  };
}
