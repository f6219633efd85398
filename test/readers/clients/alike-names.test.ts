import { describe, expect, test } from 'vitest';
import { apart, normal, valueName } from '../../../src/compiler/model/alike-names.ts';
import { goSpelling } from '../../../src/readers/clients/go/go-names.ts';
import { javaSpelling } from '../../../src/readers/clients/java/java-words.ts';
import { pythonIdentifier } from '../../../src/readers/clients/python/python-identifiers.ts';

/** Names that some language would spell alike; what they are called, for what holds for each language. */
const ALIKE: Readonly<Record<string, readonly string[]>> = {
  case: ['open', 'OPEN', 'Open', 'oPen', 'opeN'],
  signs: ['a-b', 'a_b', 'a b', 'a.b', 'aB', 'ab', 'a-B', 'A-b', 'a__b', '_ab', 'ab_'],
  'signs alone': ['+', '-', '', ' ', '  ', '+-', '-+', '$'],
  'signs before a number': ['+1', '-1', '1', '1+'],
  'words beside signs': ['a+b', 'ab', 'a_plus_b', 'aPlusB', 'a plus b'],
  'words of another rule': ['get_thing', 'getThing', 'get_underscore_thing', 'getUnderscoreThing'],
  'words for case': ['foo', 'Foo', 'foo_capital', 'FOO', 'foo_upper'],
  'letters of other scripts': ['ü', 'ö', 'ufc', '名', '前', 'u540d'],
  'reserved words': ['class', 'class_', 'Class', 'propertyClass', 'from', 'from_', 'self', 'self_'],
  'leading signs': ['_links', 'links', 'field_links', 'underscoreLinks', '$type', 'type', 'dollarType', '#a', 'hashA'],
  'leading digits': ['1a', '_1a', 'field_1a', 'n1a', 'N1a'],
  'names of objects': ['__proto__', 'proto', 'constructor', 'Constructor', 'toString', 'to_string'],
};

/** What each language makes of a name that is kept apart; each is called once. */
const SPELLINGS = {
  'any language': [normal, normal],
  Python: [pythonIdentifier, pythonIdentifier],
  Go: [goSpelling, goSpelling],
  Java: [javaSpelling, javaSpelling],
} as const;

describe.each(Object.entries(SPELLINGS))('names that differ stay apart in %s', (_, [spell, written]) => {
  test.each(Object.entries(ALIKE))('%s', (_kind, names) => {
    const own = names.map((name) => apart(name, names, spell));
    expect(new Set(own.map(written)).size, own.join()).toBe(names.length);
    const reversed = names.toReversed();
    expect(names.map((name) => apart(name, reversed, spell))).toEqual(own);
  });
});

test('a name stays if none is alike', () => {
  expect(['a_b', 'c', 'Dé', '$type'].map((name, _, all) => apart(name, all))).toEqual(['a_b', 'c', 'Dé', '$type']);
});

test('values of enums have names of their own in capitals', () => {
  const values = ['on', 'ON', '+', '-', '1', '', ' ', "quote'", 'new\nline', '*/', 'mro', 'name', '名'];
  const names = values.map((value) => valueName(value, values));
  expect(names.filter((name) => !/^[A-Z]\w*$/.test(name))).toEqual([]);
  expect(new Set(names).size).toBe(values.length);
});
