import { type Exchange, formatDifference } from './record.ts';

/** Differences that most likely have one cause: they differ only in rows, values and callers. */
export interface Cause {
  readonly first: Exchange;
  readonly count: number;
  /** How many there are of each action: `wards.beds list`. */
  readonly actions: ReadonlyMap<string, number>;
}

/** Groups differences, in the order in which they were found. */
export function causesOf(differences: readonly Exchange[]): readonly Cause[] {
  return [...Map.groupBy(differences, patternOf).values()].map((found) => ({
    first: found[0]!,
    count: found.length,
    actions: countsOf(found),
  }));
}

const countsOf = (found: readonly Exchange[]): ReadonlyMap<string, number> =>
  new Map(
    [...Map.groupBy(found, ({ resource, action }) => `${resource} ${action}`)].map(([name, of]) => [name, of.length]),
  );

/** What distinguishes one cause from another in a description: what it says before the values, without ids and numbers. */
const patternOf = ({ difference = '', caller }: Exchange): string =>
  difference
    .replaceAll(`${caller} `, 'the caller ')
    .replace(/^(the data differ: at \S+|the (?:rows of \S+|events) differ|\S.*? receives):? .*/s, '$1')
    .replace(/^(\S+ answers [^{]*?: \d{3}) .*/s, '$1')
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, '#')
    .replaceAll(/\b(?!\d{3}\b)\d+\b/g, '#');

/** The first difference of a cause in full, and the number of the others. */
export function formatCause({ first, count, actions }: Cause): string {
  if (count === 1) return formatDifference(first);
  const names = [...actions].map(([name, of]) => `${name} (${of})`).join(', ');
  return `${formatDifference(first)}\n  ${count} differences of this kind: ${names}`;
}
