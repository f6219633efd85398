import { wordsOf } from '../../descriptor/words/words.ts';
import type { Random } from '../random.ts';

/** Searches with what has a meaning in the languages of databases, or is not a word at all. All find rows, or none. */
export const ODD_SEARCHES: readonly string[] = [
  '"',
  "'",
  '*',
  ':',
  'NEAR(',
  'AND',
  'OR NOT',
  '!?.,;',
  '🎉 👩‍👧',
  '\\ % _',
  'a:* & !b | (c <-> d)',
  '^{x y}: + -z',
  "'; drop table x; --",
  'a b c d e f g h i j k l m n o p q r s t u v w x y z',
  'no-such-word-in-any-row',
];

/** Searches for words that occur in texts: one, its beginning, in upper case, and several. */
export function searchesOf(random: Random, texts: readonly string[]): readonly string[] {
  const text = random.pick(texts.filter((one) => wordsOf(one).length > 0));
  if (text === undefined) return [];
  const words = wordsOf(text);
  const word = random.pick(words)!;
  return [word, `${[...word].slice(0, 2).join('')}*`, word.toUpperCase(), random.sample(words, 3).join(' ')].map(
    bounded,
  );
}

/** The shortest length that a contract declares is not known; this one is below what is usual. */
const MAX_LENGTH = 50;
const bounded = (search: string): string => [...search].slice(0, MAX_LENGTH).join('');
