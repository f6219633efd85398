import { describe, expect, it } from 'vitest';
import { childPointer, pointerOfFragment, pointerTokens, valueAt } from '../../src/descriptor/json-pointer.ts';

/** The examples of RFC 6901, 5 and 6. */
const document = {
  foo: ['bar', 'baz'],
  '': 0,
  'a/b': 1,
  'c%d': 2,
  'e^f': 3,
  'g|h': 4,
  'i\\j': 5,
  'k"l': 6,
  ' ': 7,
  'm~n': 8,
};

describe('a JSON Pointer', () => {
  it.each([
    ['', '', document],
    ['/foo', '/foo', ['bar', 'baz']],
    ['/foo/0', '/foo/0', 'bar'],
    ['/', '/', 0],
    ['/a~1b', '/a~1b', 1],
    ['/c%d', '/c%25d', 2],
    ['/e^f', '/e%5Ef', 3],
    ['/g|h', '/g%7Ch', 4],
    ['/i\\j', '/i%5Cj', 5],
    ['/k"l', '/k%22l', 6],
    ['/ ', '/%20', 7],
    ['/m~0n', '/m~0n', 8],
    ['/toString', '/toString', undefined],
    ['/foo/2/x', '/foo/2/x', undefined],
  ])('%s, as a fragment %s, leads to %j', (pointer, fragment, value) => {
    expect(pointerOfFragment(fragment)).toBe(pointer);
    expect(valueAt(document, pointerTokens(pointer))).toEqual(value);
    expect(pointerTokens(pointer).reduce(childPointer, '')).toBe(pointer);
  });

  it('that is escaped twice is itself again', () => {
    expect(childPointer('', '~1')).toBe('/~01');
    expect(pointerTokens('/~01')).toEqual(['~1']);
  });

  it.each(['foo', '%', '/%ff'])('is not what the fragment %s represents', (fragment) => {
    expect(pointerOfFragment(fragment)).toBeUndefined();
  });
});
