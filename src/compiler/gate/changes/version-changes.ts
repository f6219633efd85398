import { basePathOf, serverUrl } from '../../../descriptor/base-path.ts';
import type { OpenApiDocument } from '../../../descriptor/document.ts';
import { declaredVersions } from '../../read/old-versions.ts';
import type { Change, Impact } from './change.ts';
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

function change(current: Edition, impact: Impact, rule: string, subject: string, message: string): Change {
  const location = current.at(rule === 'version-moved' ? '/servers/0/url' : '/info/x-versions');
  return { impact, area: 'versions', rule, subject, message, location };
}

/** The path that clients call. */
function movedChanges({ newest, current, apiVersion }: Sides): readonly Change[] {
  const { document } = current.model;
  const [old, now] = [basePathOf(newest.document) || '/', basePathOf(document) || '/'];
  const isKept = newest.apiVersion === apiVersion ? old === now : newest.apiVersion in declaredVersions(document);
  if (isKept) return [];
  const words = `The API is served at \`${now}\`, and nothing at \`${old}\` any more`;
  const message = `${words}: \`x-versions\` does not keep \`${newest.apiVersion}\`.`;
  return [change(current, 'major', 'version-moved', newest.apiVersion, message)];
}

/** The old versions that the contract has stopped naming. */
function retiredChanges({ newest, current, apiVersion, date }: Sides): readonly Change[] {
  const now = declaredVersions(current.model.document);
  return Object.entries(declaredVersions(newest.document))
    .filter(([name]) => !(name in now) && name !== apiVersion)
    .map(([name, { sunset }]) => {
      const words = `The version \`${name}\` is no longer served`;
      if (sunset === undefined)
        return change(current, 'major', 'version-removed', name, `${words}, and no sunset was announced.`);
      return sunset <= date
        ? change(current, 'minor', 'version-retired', name, `${words}; its sunset was ${sunset}.`)
        : change(current, 'major', 'version-removed', name, `${words}, before its sunset on ${sunset}.`);
    });
}

/** What clients hear about the end of the old versions. */
function sunsetChanges({ newest, current, apiVersion, date }: Sides): readonly Change[] {
  const before = declaredVersions(newest.document);
  return Object.entries(declaredVersions(current.model.document)).flatMap(([name, { sunset }]): Change[] => {
    const old = before[name];
    const kept = `The version \`${name}\` stays served beside \`${apiVersion}\`.`;
    const added = old ? [] : [change(current, 'minor', 'version-kept', name, kept)];
    return sunset === old?.sunset ? added : [...added, sunsetChange(current, name, old?.sunset, sunset, date)];
  });
}

function sunsetChange(
  current: Edition,
  name: string,
  old: string | undefined,
  now: string | undefined,
  date: string,
): Change {
  const is = (impact: Impact, rule: string, what: string): Change =>
    change(current, impact, rule, name, `The sunset of \`${name}\` is ${what}.`);
  if (now !== undefined && now <= date)
    return is('major', 'sunset-passed', `announced too late: ${now} is not in the future`);
  if (now !== undefined && old !== undefined && now < old)
    return is('major', 'sunset-earlier', `${now}, before the ${old} that was announced`);
  return is('minor', 'sunset-changed', `${now ?? 'open'}, no longer ${old ?? 'open'}`);
}

/** Servers that clients reach by a host of their own. A new API version may have others. */
function hostChanges({ newest, current, apiVersion }: Sides): readonly Change[] {
  if (newest.apiVersion !== apiVersion) return [];
  const now = originsOf(current.model.document);
  return [...originsOf(newest.document)]
    .filter((origin) => !now.has(origin))
    .map((origin) => ({
      impact: 'major',
      area: 'versions',
      rule: 'server-removed',
      subject: origin,
      message: `The server \`${origin}\` is no longer named.`,
      location: current.at('/servers'),
    }));
}

const originsOf = ({ servers = [] }: OpenApiDocument): ReadonlySet<string> =>
  new Set(servers.flatMap((server) => URL.parse(serverUrl(server))?.origin ?? []));
