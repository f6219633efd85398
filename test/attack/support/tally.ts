/** How often each status or code was answered; `0` are connections that were closed instead. */
export type Tally = Readonly<Record<string, number>>;

/** What an attack has got. */
export interface Outcome {
  readonly attack: Tally;
  /** What others got who asked for the same beside it. */
  readonly others: Tally;
}

export function tallyOf(answers: readonly (number | string)[]): Tally {
  const counts = new Map<string, number>();
  for (const answer of answers) counts.set(String(answer), (counts.get(String(answer)) ?? 0) + 1);
  return Object.fromEntries(counts);
}

export const outcomeOf = (
  attack: readonly (number | string)[],
  others: readonly (number | string)[] = [],
): Outcome => ({ attack: tallyOf(attack), others: tallyOf(others) });

export const textOf = (tally: Tally): string =>
  Object.entries(tally)
    .map(([answer, count]) => `${count} × ${answer === '0' ? 'closed' : answer}`)
    .join(', ') || '–';
