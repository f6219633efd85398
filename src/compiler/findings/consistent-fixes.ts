import type { Finding } from './finding.ts';
import type { Fix } from './fix.ts';

/**
 * Findings with the fixes that can be applied together. Of two that edit the same place, the first stays, and the other comes
 * with the next run; where they write different things instead of the same, only the author can choose, and neither stays.
 */
export function withConsistentFixes(findings: readonly Finding[]): readonly Finding[] {
  return without(without(findings, contradicts), isCovered);
}

type Rivalry = (fix: Range, other: Range) => boolean;

/** The findings, without the fixes that lose against another of the same file. */
function without(findings: readonly Finding[], loses: Rivalry): readonly Finding[] {
  const all = findings.flatMap(({ fix }) => (fix ? [rangeOf(fix)] : []));
  return findings.map((finding) => {
    const { fix, ...plain } = finding;
    const own = fix && rangeOf(fix);
    return own && all.some((other) => isOther(own, other) && loses(own, other)) ? plain : finding;
  });
}

interface Range {
  readonly fix: Fix;
  readonly start: number;
  readonly end: number;
}

const rangeOf = (fix: Fix): Range => ({ fix, start: orderOf(fix), end: orderOf(fix.end ?? fix) });

const isOther = (one: Range, other: Range): boolean =>
  one.fix.file === other.fix.file && JSON.stringify(one) !== JSON.stringify(other);

const contradicts: Rivalry = ({ fix, start, end }, other) =>
  start === other.start && end === other.end && (start < end || nameOf(fix) === nameOf(other.fix));

const isCovered: Rivalry = ({ start, end }, other) =>
  start < other.end && other.start < end && (other.start < start || (other.start === start && other.end < end));

/** No line has so many columns. */
const orderOf = ({ line, column }: Pick<Fix, 'line' | 'column'>): number => line * 2 ** 20 + column;

/** What an insertion adds: members of other names do not contradict each other. */
const nameOf = ({ text }: Fix): string | undefined => /[\w@$'-]+/.exec(text)?.[0];
