import { once } from '../once.ts';
import { uninflected } from './inflections.ts';
import { BETWEEN_WORDS, LATER_EMOJI, REMOVED_MARKS, SAME_LETTERS } from './word-characters.ts';

/** So many characters of a row's texts are searched, counted from the first property on. */
export const MAX_SEARCHED_LENGTH = 250_000;

/** So many characters of a word are kept. No search has as many, so that longer words stay different all the same. */
export const MAX_WORD_LENGTH = 256;

/** The longest search that a list may declare. */
export const MAX_SEARCH_LENGTH = 200;

/** A set of characters, as ranges of code points in hexadecimal. */
export type Ranges = readonly (readonly [first: number, last: number])[];

export const rangesOf = (text: string): Ranges =>
  text.split(' ').map((range) => {
    const [first = '', last = first] = range.split('-');
    return [Number.parseInt(first, 16), Number.parseInt(last, 16)];
  });

const classOf = (ranges: Ranges): string =>
  ranges.map(([first, last]) => `\\u{${first.toString(16)}}-\\u{${last.toString(16)}}`).join('');

/** Made when they are first needed: a server that no search reaches starts without them. */
const characters = once(() => {
  // Half a character, which no text in UTF-8 has, is in no word either.
  const separators = `${classOf([...rangesOf(BETWEEN_WORDS), ...rangesOf(LATER_EMOJI)])}\\ud800-\\udfff`;
  return {
    marks: new RegExp(`[${classOf(rangesOf(REMOVED_MARKS))}]`, 'gu'),
    term: new RegExp(`([^${separators}]+)(\\*?)`, 'gu'),
    letters: new Map(letterPairs()),
  };
});

/** Pairs of a character and the one that it counts as in words. */
export function letterPairs(): readonly (readonly [written: string, same: string])[] {
  return SAME_LETTERS.split(' ').flatMap((group) => {
    const [same = '', ...written] = group;
    return written.map((one) => [one, same] as const);
  });
}

/** A word as it is compared: without case and diacritics. */
function compared(word: string): string {
  const { marks, letters } = characters();
  return word
    .replace(marks, '')
    .replace(/[A-Z]/g, (letter) => letter.toLowerCase())
    .replace(/[^\0-\x7f]/gu, (letter) => letters.get(letter) ?? letter);
}

/** The words of a text, in order. */
export const wordsOf = (text: string): readonly string[] =>
  [...text.matchAll(characters().term)].map(([, word]) => compared(word!)).filter((word) => word !== '');

/**
 * What a search asks for, each once and in one order: words, and beginnings of words with `*` behind them. All else that
 * has a meaning in the query languages of databases stands between words, and so means nothing.
 */
export function termsOf(search: string): readonly string[] {
  const terms = [...search.matchAll(characters().term)].map(([, word, star]) => [compared(word!), star] as const);
  return [...new Set(terms.filter(([word]) => word !== '').map(([word, star]) => word + star))].sort();
}

/** Whether one of the words is a form of a term, or begins with one that has `*` behind it. */
const hasForm = (words: readonly string[], forms: readonly string[]): boolean =>
  forms.some((form) =>
    form.endsWith('*') ? words.some((word) => word.startsWith(form.slice(0, -1))) : words.includes(form),
  );

/** Whether a text has all that a search asks for, which is something. */
export function hasTerms(text: string, search: string, inflect = uninflected): boolean {
  const words = wordsOf(text);
  const terms = inflect(termsOf(search));
  return terms.length > 0 && terms.every((forms) => hasForm(words, forms));
}

/** How many of a row's texts, from the first on, it takes to have all terms, each in one of its forms; else all. */
export function rankOf(texts: readonly string[], terms: readonly (readonly string[])[]): number {
  let remaining = MAX_SEARCHED_LENGTH;
  let missing = terms;
  for (const [i, text] of texts.entries()) {
    const words = wordsOf([...text].slice(0, Math.max(remaining, 0)).join(''));
    missing = missing.filter((forms) => !hasForm(words, forms));
    if (missing.length === 0) return i + 1;
    remaining -= [...text].length + 1;
  }
  return texts.length;
}
