import pluralize from 'pluralize';

/** Words that make a path segment a command when they stand alone. */
const VERBS = new Set(
  'activate add approve calculate cancel check create deactivate delete disable download enable execute export fetch find get import list login logout process publish register reject remove run search send set start stop submit subscribe update upload validate verify'.split(
    ' ',
  ),
);

/** Verbs that do so as the first of several words; the others also begin nouns (`check-ins`, `add-ons`). */
const LEADING_VERBS = new Set('create delete fetch find get remove update'.split(' '));

/** Ends of words that are their own plural, or have none, which `pluralize` does not know. */
const UNCOUNTABLE =
  'cattle content feedback furniture history inventory jewelry knowledge luggage merchandise money press spectra stock ware work'.split(
    ' ',
  );

/** The verb of a path segment: `cancel`, `getUsers`, `find-by-status`. */
export function verbOf(segment: string): string | undefined {
  const words = segment.split(/[-_]|(?<=[a-z])(?=[A-Z])/).map((word) => word.toLowerCase());
  const verbs = words.length === 1 ? VERBS : LEADING_VERBS;
  return verbs.has(words[0]!) ? words[0] : undefined;
}

/** Whether the last word of a segment looks like a plural. This is a guess: English plurals are irregular. */
export function isPlural(segment: string): boolean {
  const last = segment.split('-').at(-1)!.toLowerCase();
  return pluralize.isPlural(last) || UNCOUNTABLE.some((end) => last.endsWith(end));
}

/** The plural of a segment's last word: `line-items`, `addresses`. */
export const pluralOf = (segment: string): string => pluralize.plural(segment);

/** The singular of a segment's last word; the same where the rules of English do not give one. */
export const singularOf = (segment: string): string =>
  // `pluralize` makes it a cach.
  segment.endsWith('caches') ? segment.slice(0, -1) : pluralize.singular(segment);
