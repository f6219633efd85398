import { expect, test } from 'vitest';
import { startWithArticle } from '../../src/descriptor/article.ts';

test.each([
  ['Order', 'An'],
  ['`Invoice`', 'An'],
  ['hour', 'An'],
  ['HeirLoom', 'An'],
  ['unidentified object', 'An'],
  ['Utterance', 'An'],
  ['SMSMessage', 'An'],
  ['x ray', 'An'],
  ['Book', 'A'],
  ['User', 'A'],
  ['unit', 'A'],
  ['`UniversalCode`', 'A'],
  ['Utility', 'A'],
  ['URL', 'A'],
  ['EuroPrice', 'A'],
  ['OneTimeCode', 'A'],
  ['house', 'A'],
])('%s has the article %s', (words, article) => expect(startWithArticle(words)).toBe(`${article} ${words}`));
