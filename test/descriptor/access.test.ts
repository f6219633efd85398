import { describe, expect, it } from 'vitest';
import { type Access, implies } from '../../src/descriptor/access.ts';

/** `read; admin write`: either the scope `read`, or both of the others. */
const access = (...alternatives: readonly string[]): Access => ({
  anyOf: alternatives.map((scopes) => ({ schemes: [{ name: 'bearer', scopes: scopes.split(' ').filter(Boolean) }] })),
});
const NOBODY_ASKED: Access = { anyOf: [] };
const OPTIONAL: Access = { anyOf: [...access('read').anyOf, { schemes: [] }] };
const KEY: Access = { anyOf: [{ schemes: [{ name: 'key', scopes: [] }] }] };

describe('an access implies another', () => {
  it.each([
    ['the same', access('read'), access('read'), true],
    ['fewer scopes', access('read write'), access('read'), true],
    ['more scopes', access('read'), access('read write'), false],
    ['another scope', access('beds'), access('wards'), false],
    ['no scope at all', access('read'), access(''), true],
    ['one of its alternatives', access('read'), access('read', 'admin'), true],
    ['where one of its own alternatives does not', access('read', 'admin'), access('read'), false],
    ['none', access('read'), NOBODY_ASKED, true],
    ['none, from none', NOBODY_ASKED, NOBODY_ASKED, true],
    ['one, from none', NOBODY_ASKED, access(''), false],
    ['one, where anonymous callers are let in', OPTIONAL, access('read'), false],
    ['one that lets anonymous callers in', access('other'), OPTIONAL, true],
    ['another scheme', access(''), KEY, false],
  ])('%s: %#', (_what, one, other, expected) => {
    expect(implies(one, other)).toBe(expected);
  });
});
