import { basePathOf, serverUrl } from '../../../descriptor/base-path.ts';
import type { OpenApiDocument } from '../../../descriptor/document.ts';
import { declaredVersions } from '../../read/old-versions.ts';
import type { Change, Facts, Impact } from './change.ts';
import { type SaidRule, sentenceOf } from './change-sentences.ts';
import type { Edition } from './edition.ts';

/** What was served when the newest release was made. */
interface Served {
  /** Its API version: `v2`. */
  readonly apiVersion: string;
  readonly document: OpenApiDocument;
}

/** The two sides of a comparison. */
interface Sides {
  readonly newest: Served;
  readonly current: Edition;
  /** The API version that the contract serves. */
  readonly apiVersion: string;
  /** Today in UTC: `2026-11-21`. */
  readonly date: string;
}

/**
 * What becomes of the API versions that clients use. Each stays served, as the present one or in `x-versions`, until the
 * sunset that was announced; a new API version may break what it likes, but not take an old one away.
 */
export function versionChanges(sides: Sides): readonly Change[] {
  return [...movedChanges(sides), ...retiredChanges(sides), ...sunsetChanges(sides), ...hostChanges(sides)];
}

function change(current: Edition, impact: Impact, rule: SaidRule, subject: string, facts: Facts): Change {
  const location = current.at(POINTERS[rule] ?? '/info/x-versions');
  return { impact, area: 'versions', rule, subject, facts, message: sentenceOf(rule, subject, facts), location };
}

const POINTERS: Partial<Record<SaidRule, string>> = {
  'version-moved': '/servers/0/url',
  'server-removed': '/servers',
};

/** The path that clients call. */
function movedChanges({ newest, current, apiVersion }: Sides): readonly Change[] {
  const { document } = current.model;
  const [from, to] = [basePathOf(newest.document) || '/', basePathOf(document) || '/'];
  const isKept = newest.apiVersion === apiVersion ? from === to : newest.apiVersion in declaredVersions(document);
  return isKept ? [] : [change(current, 'major', 'version-moved', newest.apiVersion, { from, to })];
}

/** The old versions that the contract has stopped naming. */
function retiredChanges({ newest, current, apiVersion, date }: Sides): readonly Change[] {
  const now = declaredVersions(current.model.document);
  return Object.entries(declaredVersions(newest.document))
    .filter(([name]) => !(name in now) && name !== apiVersion)
    .map(([name, { sunset }]) =>
      sunset !== undefined && sunset <= date
        ? change(current, 'minor', 'version-retired', name, { from: sunset })
        : change(current, 'major', 'version-removed', name, { from: sunset }),
    );
}

/** What clients hear about the end of the old versions. */
function sunsetChanges({ newest, current, apiVersion, date }: Sides): readonly Change[] {
  const before = declaredVersions(newest.document);
  return Object.entries(declaredVersions(current.model.document)).flatMap(([name, { sunset }]): Change[] => {
    const old = before[name];
    const added = old ? [] : [change(current, 'minor', 'version-kept', name, { to: apiVersion })];
    return sunset === old?.sunset ? added : [...added, sunsetChange(current, name, old?.sunset, sunset, date)];
  });
}

function sunsetChange(
  current: Edition,
  name: string,
  from: string | undefined,
  to: string | undefined,
  date: string,
): Change {
  const isPassed = to !== undefined && to <= date;
  if (isPassed) return change(current, 'major', 'sunset-passed', name, { from, to });
  const isEarlier = to !== undefined && from !== undefined && to < from;
  return change(current, isEarlier ? 'major' : 'minor', isEarlier ? 'sunset-earlier' : 'sunset-changed', name, {
    from,
    to,
  });
}

/** Servers that clients reach by a host of their own. A new API version may have others. */
function hostChanges({ newest, current, apiVersion }: Sides): readonly Change[] {
  if (newest.apiVersion !== apiVersion) return [];
  const now = originsOf(current.model.document);
  return [...originsOf(newest.document)]
    .filter((origin) => !now.has(origin))
    .map((origin) => change(current, 'major', 'server-removed', origin, {}));
}

const originsOf = ({ servers = [] }: OpenApiDocument): ReadonlySet<string> =>
  new Set(servers.flatMap((server) => URL.parse(serverUrl(server))?.origin ?? []));
