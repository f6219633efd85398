/** Words that make a path segment a command when they stand alone. */
const VERBS = new Set(
  'activate add approve calculate cancel check create deactivate delete disable download enable execute export fetch find get import list login logout process publish register reject remove run search send set start stop submit subscribe update upload validate verify'.split(
    ' ',
  ),
);

/** Words that do so as the first of several; others begin nouns as well (`check-ins`, `add-ons`). */
const LEADING_VERBS = new Set('create delete fetch find get remove update'.split(' '));

/** Plurals without `s`, and words that are their own plural or have none. */
const PLURALS = new Set(
  'aircraft alumni analytics audio bacteria cattle children clothing content criteria data deer equipment feedback feet fish fungi furniture geese hardware history indices information inventory jewelry knowledge luggage mail matrices media men merchandise metadata mice money moose music news nuclei oxen people phenomena police press radii salmon sheep software spectra staff stimuli stock strata swine teeth traffic vertices women work'.split(
    ' ',
  ),
);

/** The verb of a path segment: `cancel`, `getUsers`, `find-by-status`. */
export function verbOf(segment: string): string | undefined {
  const words = segment.split(/[-_]|(?<=[a-z])(?=[A-Z])/).map((word) => word.toLowerCase());
  const verbs = words.length === 1 ? VERBS : LEADING_VERBS;
  return verbs.has(words[0]!) ? words[0] : undefined;
}

/** Whether the last word of a segment looks like a plural; English has no rule that is always right. */
export function isPlural(segment: string): boolean {
  const last = segment.split('-').at(-1)!.toLowerCase();
  return (
    last.endsWith('s') || PLURALS.has(last) || [...PLURALS].some((plural) => plural.length > 3 && last.endsWith(plural))
  );
}
