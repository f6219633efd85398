import { describe, expect, it, test } from 'vitest';
import { inflectionsIn, MAX_FORMS, SEARCH_LANGUAGES, uninflected } from '../../../src/descriptor/words/inflections.ts';

const formsIn = (language: string, word: string): readonly string[] => inflectionsIn(language)([word])[0]!;

/** Words of which each is found by each other. */
const SAME: Readonly<Record<string, readonly (readonly string[])[]>> = {
  da: [
    ['kvinde', 'kvinder', 'kvindens'],
    ['huset', 'husene', 'hus'],
  ],
  de: [
    ['haus', 'hauser', 'hausern'],
    ['kind', 'kinder', 'kindern', 'kindes'],
    ['schone', 'schones', 'schoner'],
  ],
  en: [
    ['book', 'books', 'booked', 'booking'],
    ['study', 'studies', 'studied'],
    ['run', 'runs', 'running'],
    ['box', 'boxes'],
  ],
  es: [
    ['libro', 'libros'],
    ['hablar', 'habla', 'hablamos', 'hablado'],
    ['leccion', 'lecciones'],
  ],
  fr: [
    ['cheval', 'chevaux'],
    ['maison', 'maisons'],
    ['grand', 'grande', 'grandes'],
    ['parle', 'parler', 'parlait'],
  ],
  it: [
    ['libro', 'libri'],
    ['casa', 'case'],
    ['parlare', 'parla', 'parlato'],
  ],
  nl: [
    ['boek', 'boeken'],
    ['lang', 'lange'],
  ],
  no: [
    ['jente', 'jenter', 'jentene'],
    ['hus', 'huset', 'husene'],
  ],
  pt: [
    ['livro', 'livros'],
    ['falar', 'fala', 'falamos', 'falado'],
  ],
  sv: [
    ['flicka', 'flickor', 'flickorna'],
    ['bok', 'boken', 'bokens'],
  ],
};

describe.each(SEARCH_LANGUAGES)('inflected forms in %s', (language) => {
  it.each(SAME[language]!.map((words) => [words]))('of %j are each found by each other', (words) => {
    for (const word of words) {
      const forms = formsIn(language, word);
      expect(forms[0]).toBe(word);
      expect(words.filter((one) => !forms.includes(one))).toEqual([]);
      expect(forms.length).toBeLessThanOrEqual(MAX_FORMS);
      expect(new Set(forms).size).toBe(forms.length);
    }
  });
});

test('what is short, has digits, or is the beginning of a word has no other form', () => {
  for (const word of ['go', 'x86', 'book*', '2024', '日本語']) expect(formsIn('en', word)).toEqual([word]);
});

test('other words are no forms', () => {
  expect(formsIn('en', 'book')).not.toContain('bookish');
  expect(formsIn('en', 'university')).not.toContain('universal');
  expect(formsIn('en', 'mouse')).not.toContain('mice');
});

test('a search of many words has fewer forms of each', () => {
  const terms = Array.from({ length: 66 }, (_, i) => `wordy${String.fromCharCode(97 + (i % 26))}${'x'.repeat(i % 3)}`);
  const forms = inflectionsIn('es')(terms);
  expect(forms.map(([first]) => first)).toEqual(terms);
  expect(forms.flat().length).toBeLessThanOrEqual(400);
});

test('without a language, words are as they are', () => {
  expect(inflectionsIn(undefined)).toBe(uninflected);
  expect(uninflected(['books', 'a*'])).toEqual([['books'], ['a*']]);
});
