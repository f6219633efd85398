import { createRequire } from 'node:module';
import { LRUCache } from 'lru-cache';

/** How a language inflects its words. */
interface Language {
  /** Its Snowball stemmer, as a module of `@orama/stemmers`. */
  readonly stemmer: string;
  /** What inflected forms end with, without diacritics, the usual ones first. */
  readonly endings: string;
  /** Whether a letter is doubled before an ending: `stopped`. */
  readonly doubles?: true;
}

const LANGUAGES: Readonly<Record<string, Language>> = {
  da: { stemmer: 'danish', endings: 'e er en et ene erne ne r s ens ets ede te t ende' },
  de: { stemmer: 'german', endings: 'e en er ern em es n s st t te ten tet et est end' },
  en: { stemmer: 'english', endings: 's es ed d ing e y ies ied ying', doubles: true },
  es: {
    stemmer: 'spanish',
    endings:
      's es a o e as os an en ar er ir amos emos imos ado ada ados adas ido ida idos idas ando iendo aba aban aron ieron io ia ian ara aran',
  },
  fr: {
    stemmer: 'french',
    endings: 's e es x al aux er ez ent ons ait ais aient ant a ai ee ees era eront ions iez ir it is issent ie ies',
  },
  it: {
    stemmer: 'italian',
    endings:
      'a e i o hi he are ere ire ano ono iamo ate ete ite ato ata ati uto uta uti ute ito ita iti ando endo ava avano eva evano',
  },
  nl: { stemmer: 'dutch', endings: 'e en n s t te ten d de den', doubles: true },
  no: { stemmer: 'norwegian', endings: 'e er en et a ene ane ar r s ens ets ede te t ende' },
  pt: {
    stemmer: 'portuguese',
    endings:
      's es a o e as os am em ar er ir amos emos imos ado ada ados adas ido ida idos idas ando endo indo ava avam ou aram eram iram',
  },
  sv: { stemmer: 'swedish', endings: 'a ar or er en et na arna orna erna n t s ens ets ad ade at ande de te' },
};

/** The languages whose inflected words a search can find, by ISO 639-1. */
export const SEARCH_LANGUAGES: readonly string[] = Object.keys(LANGUAGES);

/** So many forms of a word are looked for. */
export const MAX_FORMS = 40;

/** So many forms of all words of a search together, where each has an equal part. */
const MAX_ALL_FORMS = 400;
const MAX_CACHED = 10_000;
/** Of shorter words, and of what is not a word, there is one form. */
const INFLECTED = /^\p{Ll}{3,}$/u;

type Stemmer = (word: string) => string;

/** The forms that each term of a search is looked for in, itself the first of them. */
export type Inflect = (terms: readonly string[]) => readonly (readonly string[])[];

/** Terms as they are, of a list without a language. */
export const uninflected: Inflect = (terms) => terms.map((term) => [term]);

/**
 * The forms of words in a language: its endings on the stem of the word, and on what is left of the word without one, where
 * the stemmer finds the same stem. So no database has to know the language, and all find the same. Words are as they are
 * compared, in lower case and without diacritics; beginnings of words, which end with `*`, have no other form. A language
 * of no name inflects nothing.
 */
export function inflectionsIn(name: string | undefined): Inflect {
  const language = name === undefined ? undefined : LANGUAGES[name];
  if (!language) return uninflected;
  const load = createRequire(import.meta.url);
  const { stemmer } = load(`@orama/stemmers/${language.stemmer}`) as { readonly stemmer: Stemmer };
  const known = new LRUCache<string, readonly string[]>({ max: MAX_CACHED });
  const formsOf = (word: string): readonly string[] => {
    if (!INFLECTED.test(word)) return [word];
    const forms = known.get(word) ?? inflected(word, stemmer, language);
    known.set(word, forms);
    return forms;
  };
  return (terms) => {
    const most = Math.max(1, Math.floor(MAX_ALL_FORMS / terms.length));
    return terms.map((term) => formsOf(term).slice(0, most));
  };
}

function inflected(word: string, stemmer: Stemmer, language: Language): readonly string[] {
  const stem = stemmer(word);
  const endings = ['', ...language.endings.split(' ')];
  const bases = basesOf(word, stem, endings);
  const all = language.doubles ? [...bases].flatMap((base) => [base, base + base.at(-1)!]) : [...bases];
  const forms = new Set([word]);
  for (const ending of endings) for (const base of all) if (stemmer(base + ending) === stem) forms.add(base + ending);
  return [...forms].slice(0, MAX_FORMS);
}

/** What endings are put on: the stem, as far as the word begins with it and a letter less, and the word without its ending. */
function basesOf(word: string, stem: string, endings: readonly string[]): ReadonlySet<string> {
  let common = 0;
  while (common < stem.length && stem[common] === word[common]) common++;
  const shorter = endings
    .filter((ending) => word.endsWith(ending))
    .map((ending) => word.slice(0, -ending.length || undefined));
  const bases = [stem, word.slice(0, common), word.slice(0, common - 1), ...shorter];
  return new Set(bases.filter((base) => base.length > 1));
}
