import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { hasTerms, termsOf, wordsOf } from '../../../src/descriptor/words/words.ts';
import { fts5Words } from '../../../src/runtime/storage/sqlite/sqlite-words.ts';
import { oneIn } from '../../support/thorough.ts';

/** What FTS5 makes of each character between two letters: their word, or their words. */
function tokenized(points: readonly number[]): ReadonlyMap<number, string> {
  const database = new DatabaseSync(':memory:');
  database.exec(`create virtual table texts using fts5 (text, content = '', ${fts5Words()});
    create virtual table words using fts5vocab (texts, 'instance'); begin`);
  const insert = database.prepare('insert into texts (rowid, text) values (?, ?)');
  for (const point of points) insert.run(point, `q${String.fromCodePoint(point)}z`);
  database.exec('commit');
  const found = new Map<number, string>();
  for (const { term, doc } of database.prepare('select term, doc from words order by term').iterate()) {
    const known = found.get(doc as number);
    found.set(doc as number, known === undefined ? String(term) : `${known} ${String(term)}`);
  }
  database.close();
  return found;
}

/** Those of the scripts that most texts have, and all; half characters are none. */
const USUAL = Array.from({ length: 0x600 }, (_, i) => i + 1);
const POINTS = Array.from({ length: 0x10ffff - 0x600 }, (_, i) => i + 0x601).filter(
  (point) => point < 0xd800 || point > 0xdfff,
);

describe('words', () => {
  it('are those of FTS5, whatever character of Unicode is in them', () => {
    const differing: string[] = [];
    for (const [point, words] of tokenized([...USUAL, ...oneIn(100, POINTS)])) {
      const ours = [...wordsOf(`q${String.fromCodePoint(point)}z`)].sort().join(' ');
      if (ours !== words) differing.push(`${point.toString(16)}: ${ours}, not ${words}`);
    }
    expect(differing).toEqual([]);
  });

  it.each([
    ['Crème brûlée, 2 Stück!', ['creme', 'brulee', '2', 'stuck']],
    ['cre\u0300me', ['creme']],
    ['ΠΡΟΪΟΝ Ёлка', ['προϊον', 'ёлка']],
    ['e-mail: a.b@example.com', ['e', 'mail', 'a', 'b', 'example', 'com']],
    ["don't", ['don', 't']],
    ['हिन्दी 日本語', ['हिन्दी', '日本語']],
    ['lol🤣ok❤️', ['lol', 'ok']],
    ['\ud83e half', ['half']],
    ['!?', []],
    ['', []],
  ])('of %j are %j', (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  it('are asked for each once, with the stars behind them', () => {
    expect(termsOf('Blue blue* "mug" NEAR(x, 1) * AND -a:b^ **')).toEqual(
      ['blue', 'blue*', 'mug', 'near', 'x', '1', 'and', 'a', 'b'].sort(),
    );
    expect(termsOf('a*b c**')).toEqual(['a*', 'b', 'c*']);
    expect(termsOf('*')).toEqual([]);
  });

  it.each([
    ['white', true],
    ['WHALE white', true],
    ['wh*', true],
    ['whit', false],
    ['white shark', false],
    ['!?', false],
    ['', false],
  ])('of %j are in a text: %j', (search, expected) => {
    expect(hasTerms('The Whalé, or: white', search)).toBe(expected);
  });
});
