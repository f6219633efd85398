import type { ExportChange } from '../../findings/finding.ts';
import type { Change } from './change.ts';
import type { Edition } from './edition.ts';
import { type Exported, exportedBy, LANGUAGES } from './exported-names.ts';

/** A thing that clients call otherwise than before, or no longer have. */
interface Renamed {
  readonly old: Exported;
  readonly now: Exported | undefined;
  readonly exports: readonly ExportChange[];
}

function renamedBetween(before: readonly Exported[], after: readonly Exported[]): readonly Renamed[] {
  const taken = new Set(before.map(keyOf));
  const known = new Map(after.map((one) => [keyOf(one), one]));
  // What is called otherwise is found by what it is; only what is new can be that.
  const others = new Map(after.filter((one) => !taken.has(keyOf(one))).map((one) => [identityOf(one), one]));
  return before.flatMap((old) => {
    const now = known.get(keyOf(old)) ?? others.get(identityOf(old));
    const exports = LANGUAGES.filter((language) => old.names[language] !== now?.names[language]).map((language) => ({
      language,
      name: old.names[language],
      ...(now && { now: now.names[language] }),
    }));
    return exports.length > 0 ? [{ old, now, exports }] : [];
  });
}

const keyOf = ({ area, path, subject }: Exported): string => `${area} ${path === undefined ? '' : 'call '}${subject}`;
const identityOf = ({ area, identity }: Exported): string => `${area} ${identity}`;

interface NamedChanges {
  /** The change, with the names that clients lose by it. */
  readonly named: (change: Change) => Change;
  /** A change for each thing whose names clients lose without a change that is about it. */
  readonly unsaid: readonly Change[];
}

/** What two editions of a contract export to clients, compared. Of several `changes` about one thing, the first has the names. */
export function nameExports(before: Edition, current: Edition, changes: readonly Change[]): NamedChanges {
  const losses = new Map<Change, ExportChange[]>();
  const unsaid = renamedBetween(exportedBy(before), exportedBy(current)).flatMap((renamed): Change[] => {
    const change = changes.find((one) => isAbout(one, renamed));
    if (!change) return [exportChange(renamed, current)];
    losses.set(change, [...(losses.get(change) ?? []), ...renamed.exports]);
    return [];
  });
  return { named: (change) => withExports(change, losses.get(change) ?? []), unsaid };
}

/** Whether a change says that the thing is gone or is called otherwise. */
function isAbout({ area, subject, rule, facts }: Change, { old, now }: Renamed): boolean {
  const subjects = [old.subject, old.path, now?.subject];
  const isOfName = /^(?:operation|path|field|removed$)/.test(rule) || facts.keyword === 'tags';
  return area === old.area && isOfName && subjects.includes(subject);
}

function exportChange({ old, now, exports }: Renamed, current: Edition): Change {
  const { area, subject, pointer } = now ?? old;
  const location = area === 'graphql' ? current.atCoordinate(subject) : current.at(pointer);
  const rule = now ? 'export-renamed' : 'export-removed';
  const message = `Clients ${now ? 'have another name' : 'no longer have a name'} for \`${old.subject}\`.`;
  const change = {
    impact: 'patch',
    area: 'clients',
    rule,
    subject: old.subject,
    facts: {},
    message,
    location,
  } as const;
  return withExports(change, exports);
}

const MAX_NAMED = 8;

function withExports(change: Change, exports: readonly ExportChange[]): Change {
  if (exports.length === 0) return change;
  const words = exports.slice(0, MAX_NAMED).map(({ language, name, now }) => {
    const becomes = now === undefined ? 'is gone' : `becomes \`${now}\``;
    return `${language} \`${name}\` ${becomes}`;
  });
  const more = exports.length > MAX_NAMED ? `, and ${exports.length - MAX_NAMED} more` : '';
  return { ...change, message: `${change.message} In clients, ${words.join(', ')}${more}.`, exports };
}
