import { describe, expect, it } from 'vitest';
import { patternText } from '../../../src/compiler/json-schema/pattern-text.ts';

describe('the simplest text of a pattern', () => {
  it.each([
    ['^[a-z]{2,10}$', 'aa'],
    ['^AC[0-9a-fA-F]{32}$', `AC${'0'.repeat(32)}`],
    ['^(0|[1-9][0-9]*)$', '0'],
    ['^\\+?[1-9]\\d{1,14}$', '10'],
    ['^(?:red|blue)-(?<size>[SML])$', 'red-S'],
    ['^[^\\s@]+@[^\\s@]+\\.[a-z]{2}$', 'a@a.aa'],
    ['^\\d{4}-\\d{2}$', '0000-00'],
    ['\\bword\\b', 'word'],
    ['^[\\w.-]+\\/[\\w.-]+$', 'a/a'],
    ['^$', ''],
    ['^\\p{Lu}+$', 'A'],
    ['^\\x41\\u{e9}[\\u0041-Z]$', 'AéA'],
    ['^(?![0-9]+$)[a-z0-9_-]+$', 'a'],
    ['^(?=a)[a-z]{3}(?<!b)$', 'aaa'],
  ])('%s is %s', (pattern, text) => {
    expect(patternText(pattern)).toBe(text);
    expect(text).toMatch(new RegExp(pattern, 'u'));
  });

  it('is as long as it must be, and no longer than it may be', () => {
    expect(patternText('^[a-z]+$', 5)).toBe('aaaaa');
    expect(patternText('^[a-z]{1,3}$', 5)).toBeUndefined();
    expect(patternText('^[a-z]{8}$', 0, 5)).toBeUndefined();
  });

  it.each(['^(?=.*\\d)[a-z\\d]+$', '^(a)\\1$', '(', '[a-z'])('of %s is none', (pattern) => {
    expect(patternText(pattern)).toBeUndefined();
  });
});
