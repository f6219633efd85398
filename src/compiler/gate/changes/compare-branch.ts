import { isDeepStrictEqual } from 'node:util';
import { KEEP_NOTHING } from '../../../descriptor/keep.ts';
import { breakingRule, type Change, impactOf } from './change.ts';
import { type Comparison, changesBetween, compareWithReleased } from './compare.ts';
import { type Edition, readEdition } from './edition.ts';
import { nameExports } from './export-changes.ts';
import { apiVersionOf } from './releases.ts';
import { withTouched } from './touched.ts';
import { versionChanges } from './version-changes.ts';
import type { WaivedChange } from './waivers.ts';

/**
 * What a branch contributes to the differences between its contract and the last release: `whole` compares the contract with the
 * releases in `base`, the folder of the contract that the branch started from. All of it where that has errors.
 */
export async function compareBranch(
  whole: Comparison,
  base: string,
  current: Edition,
  date: string,
  keep = KEEP_NOTHING,
): Promise<Comparison> {
  const { edition: before } = await readEdition(base);
  if (!before) return whole;
  const served = { apiVersion: apiVersionOf(before), document: before.model.document };
  const versions = versionChanges({ newest: served, current, apiVersion: whole.apiVersion, date });
  const own = [...versions, ...(await changesBetween(before, current, keep))];
  const isJudged = [whole.broken, whole.waived, whole.faults].some(({ length }) => length > 0);
  const earlier = isJudged ? await compareWithReleased(base, before, date, keep) : whole;
  const touching = withTouched([before, current]);

  const breaks = new Set(own.filter(({ impact }) => impact === 'major').map(keyOf));
  const isOwn = (change: Change, others: readonly Change[]): boolean =>
    breaks.has(keyOf(change)) || !others.some((one) => isSame(one, change));
  const ownBroken = whole.broken.filter((change) => isOwn(change, earlier.broken)).map(touching);
  const ownWaived = whole.waived
    .filter(({ change, waiver }) =>
      isOwn(change, earlier.waived.filter((one) => isDeepStrictEqual(one.waiver, waiver)).map(changeOf)),
    )
    .map(({ change, waiver }) => ({ change: touching(change), waiver }));
  const judged = new Set([...whole.broken, ...whole.waived.map(changeOf)].map(keyOf));
  const others = own.filter((change) => !judged.has(keyOf(change))).map((change) => touching(rated(change, whole)));
  const said = [...ownBroken, ...ownWaived.map(changeOf), ...others];
  const { named, unsaid } = nameExports(before, current, said);
  const broken = ownBroken.map(named);
  const waived = ownWaived.map(({ change, waiver }) => ({ change: named(change), waiver }));
  const changes = [...broken, ...waived.map(changeOf), ...others.map(named), ...unsaid];
  const faults = whole.faults.filter(({ message }) => !earlier.faults.some((one) => one.message === message));
  return { ...whole, changes, impact: impactOf(changes), broken, waived, faults };
}

const keyOf = (change: Change): string => `${breakingRule(change)} ${change.subject}`;
const isSame = (a: Change, b: Change): boolean => keyOf(a) === keyOf(b) && a.message === b.message;
const changeOf = ({ change }: WaivedChange): Change => change;

/** What no release has breaks nobody. */
const rated = (change: Change, { isNewApiVersion }: Comparison): Change =>
  change.impact === 'major' && !isNewApiVersion
    ? { ...change, impact: 'patch', message: `${change.message} No release has it.` }
    : change;
