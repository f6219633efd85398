import { distance } from 'fastest-levenshtein';

/**
 * How many letters differ between two words: inserted, deleted or replaced ones, and a pair of neighbours that changed places, which
 * is the commonest slip of all and counts as one (Damerau). A second such pair counts as two.
 */
export function editDistance(a: string, b: string): number {
  let least = distance(a, b);
  for (let at = 0; at + 1 < a.length; at++) least = Math.min(least, 1 + distance(withSwapped(a, at), b));
  return least;
}

const withSwapped = (word: string, at: number): string =>
  word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2);
