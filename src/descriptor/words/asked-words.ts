/** What a search asks for, as the storage keeps it. */
export interface AskedWords {
  /** Only rows of this rank: that have all terms in their first levels up to this one, and not in fewer. */
  readonly rank?: number;
  /** All of these, each in one of its forms; `*` stands behind a form that is the beginning of a word. */
  readonly terms: readonly (readonly string[])[];
}

/** As one text: `=2 book|books whal*`. Nothing in it is part of a word but letters, marks and digits. */
export function askedText({ rank, terms }: AskedWords): string {
  const all = terms.map((forms) => forms.join('|'));
  return (rank === undefined ? all : [`=${rank}`, ...all]).join(' ');
}

/** What such a text asks for. */
export function askedIn(text: string): AskedWords {
  const [first = '', ...others] = text.split(' ');
  const isRanked = first.startsWith('=');
  const terms = (isRanked ? others : [first, ...others]).map((forms) => forms.split('|'));
  return isRanked ? { rank: Number(first.slice(1)), terms } : { terms };
}
