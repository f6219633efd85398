import { describe, expect, it } from 'vitest';
import { addEntry, addItem } from '../../../src/tools/sync/yaml-text.ts';

describe('an entry added to a mapping', () => {
  it.each([
    ['a:\n  b: 1 # here\n\nc: 2\n', 'a:\n  b: 1 # here\n  d:\n    e: f\n\nc: 2\n'],
    ['a:\n    b: 1\n', 'a:\n    b: 1\n    d:\n      e: f\n'],
    ['a: {}\nc: 2\n', 'a:\n  d:\n    e: f\nc: 2\n'],
    ['a: {} # why\n', 'a: # why\n  d:\n    e: f\n'],
    ['a:\nc: 2\n', 'a:\n  d:\n    e: f\nc: 2\n'],
    ['c: 2', 'c: 2\na:\n  d:\n    e: f\n'],
    ['a: { b: 1 } # x\n', 'a: { b: 1, d: { e: f } } # x\n'],
    ['a:\n  b: |\n    text\n    more\nc: 1\n', 'a:\n  b: |\n    text\n    more\n  d:\n    e: f\nc: 1\n'],
    ['{ "a": { "b": 1 } }\n', '{ "a": { "b": 1, "d":{"e":"f"} } }\n'],
    ['a: { d: 1 }\n', 'a: { d: 1 }\n'],
  ])('%j', (before, after) => {
    expect(addEntry(before, ['a'], 'd', { e: 'f' })).toBe(after);
  });

  it('makes the mappings that it stands in', () => {
    expect(addEntry('c: 2\n', ['a', 'b'], 'd', 1)).toBe('c: 2\na:\n  b:\n    d: 1\n');
    expect(addEntry('a: { b: {} }\n', ['a', 'b'], 'd', 1)).toBe('a: { b: { d: 1 } }\n');
  });

  it('is refused where something else stands, and in a text that is not YAML', () => {
    expect(() => addEntry('a: [1]\n', ['a'], 'd', 1)).toThrow('`a` is not a mapping');
    expect(() => addEntry('a: 1\n', ['a'], 'd', 1)).toThrow('`a` is not a mapping');
    expect(() => addEntry('a: [\n', ['a'], 'd', 1)).toThrow('cannot be read');
  });
});

describe('an item added to a sequence', () => {
  it.each([
    ['a: [x, y]\n', 'a: [x, y, z]\n'],
    ['a:\n  - x\n  - y # w\nb: 1\n', 'a:\n  - x\n  - y # w\n  - z\nb: 1\n'],
    ['a:\n- x\nb: 1\n', 'a:\n- x\n- z\nb: 1\n'],
    ['a: []\n', 'a:\n  - z\n'],
    ['b: 1\n', 'b: 1\na:\n  - z\n'],
    ['a: [z]\n', 'a: [z]\n'],
  ])('%j', (before, after) => {
    expect(addItem(before, ['a'], 'z')).toBe(after);
  });
});
