/** Words that begin with the sound of a vowel: `Order`, `hour`, `SMSMessage`. */
const VOWEL = /^(?:[AEIOaeio]|[Uu](?![A-Z])|[FHLMNRSXfhlmnrsx](?![a-z])|[Hh](?:our|onest|onou?r|eir))/;
/** Those that begin with the sound of `you` or `w`: `unit`, `user`, `euro`. */
const CONSONANT = /^(?:uni(?![dmn])|us[aeu]|ut[aeio]|ur[aeilo]|ubi|uu|eu|ewe|one(?!rous)|once)/i;

/** `a book`, `an author`, `a unit`; code is in backticks. */
export function withArticle(words: string): string {
  const bare = words.replace(/^\W+/, '');
  return `${VOWEL.test(bare) && !CONSONANT.test(bare) ? 'an' : 'a'} ${words}`;
}

/** `A book`. */
export const startWithArticle = (words: string): string => withArticle(words).replace(/^a/, 'A');
