import type { Finding, Location } from '../../findings/finding.ts';
import { breakingRule, type Change } from './change.ts';
import type { Edition } from './edition.ts';

/** A finding as a waiver names it. */
interface Break {
  /** Of the finding: `breaking-rest/property-removed`. */
  readonly rule: string;
  /** What is broken: `Order.note`. */
  readonly subject: string;
}

/** A break that the contract takes upon itself (`info.x-waivers`). */
interface Waiver extends Break {
  readonly reason: string;
  /** The last day on which it holds, in UTC: `2026-12-31`. */
  readonly until: string;
}

interface LocatedWaiver extends Waiver {
  readonly location: Location;
}

/** As it is declared: for one finding, or for several of one change. */
type Declared = Omit<Waiver, keyof Break> & (Break | { readonly breaks: readonly Break[] });

/** A break, and why it is allowed. */
export interface WaivedChange {
  readonly change: Change;
  readonly waiver: Waiver;
}

/** Breaking changes, divided by the waivers of a contract, and what is wrong with the waivers themselves. */
export interface Waived {
  readonly broken: readonly Change[];
  readonly waived: readonly WaivedChange[];
  readonly findings: readonly Finding[];
}

/** Holds the waivers of a contract against the changes that break clients. `date` is today in UTC. */
export function applyWaivers(breaking: readonly Change[], current: Edition, date: string): Waived {
  const all = waiversOf(current);
  const valid = all.filter(({ until }) => until >= date);
  const waived = breaking.flatMap((change): WaivedChange[] => {
    const waiver = valid.find((one) => covers(one, change));
    return waiver ? [{ change, waiver: plain(waiver) }] : [];
  });
  const allowed = new Set(waived.map(({ change }) => change));
  return {
    broken: breaking.filter((change) => !allowed.has(change)),
    waived,
    findings: [
      ...all.filter(({ until }) => until < date).map(expired),
      ...valid.filter((waiver) => !breaking.some((change) => covers(waiver, change))).map(unused),
    ],
  };
}

const covers = ({ rule, subject }: Waiver, change: Change): boolean =>
  rule === breakingRule(change) && subject === change.subject;

const plain = ({ rule, subject, reason, until }: Waiver): Waiver => ({ rule, subject, reason, until });

function waiversOf(current: Edition): readonly LocatedWaiver[] {
  const declared = current.written.info['x-waivers'];
  if (!Array.isArray(declared)) return [];
  return (declared as readonly Declared[]).flatMap((waiver, i) => {
    const place = `/info/x-waivers/${i}`;
    if (!('breaks' in waiver)) return [{ ...waiver, location: current.at(place) }];
    const { breaks, ...terms } = waiver;
    return breaks.map((one, at) => ({ ...one, ...terms, location: current.at(`${place}/breaks/${at}`) }));
  });
}

const expired = ({ rule, subject, until, location }: LocatedWaiver): Finding => ({
  rule: 'waiver-expired',
  severity: 'error',
  message: `The waiver of ${rule} for \`${subject}\` held until ${until}.`,
  hint: 'Remove it, or give it a later date.',
  location,
});

const unused = ({ rule, subject, location }: LocatedWaiver): Finding => ({
  rule: 'waiver-unused',
  severity: 'warning',
  message: `No finding matches the waiver of ${rule} for \`${subject}\`: the contract does not break it since the last release.`,
  hint: 'Remove it after the break was released and merged. Copy the rule and the subject from the finding.',
  location,
});
