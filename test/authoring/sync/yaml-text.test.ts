import { describe, expect, it } from 'vitest';
import {
  addEntries,
  addItems,
  removeBranch,
  removeEntry,
  type YamlPath,
} from '../../../src/authoring/sync/yaml-text.ts';

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
    expect(addEntries(before, ['a'], { d: { e: 'f' } })).toBe(after);
  });

  it('makes the mappings that it stands in', () => {
    expect(addEntries('c: 2\n', ['a', 'b'], { d: 1 })).toBe('c: 2\na:\n  b:\n    d: 1\n');
    expect(addEntries('a: { b: {} }\n', ['a', 'b'], { d: 1 })).toBe('a: { b: { d: 1 } }\n');
  });

  it('is refused where something else stands, and in a text that is not YAML', () => {
    expect(() => addEntries('a: [1]\n', ['a'], { d: 1 })).toThrow('`a` is not a mapping');
    expect(() => addEntries('a: 1\n', ['a'], { d: 1 })).toThrow('`a` is not a mapping');
    expect(() => addEntries('a: [\n', ['a'], { d: 1 })).toThrow('cannot be read');
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
    expect(addItems(before, ['a'], ['z'])).toBe(after);
  });
});

describe('what is removed from a mapping or a sequence', () => {
  it.each<[before: string, path: YamlPath, after: string]>([
    ['a:\n  b: 1 # one\n  c: 2\nd: 3\n', ['a', 'b'], 'a:\n  c: 2\nd: 3\n'],
    ['a:\n  b: 1\n  c: 2\nd: 3\n', ['a', 'c'], 'a:\n  b: 1\nd: 3\n'],
    ['a:\n  b: |\n    text\n    more\n  c: 2\n', ['a', 'b'], 'a:\n  c: 2\n'],
    ['a:\n  b: 1\nd: 3\n', ['a', 'b'], 'a: {}\nd: 3\n'],
    ['a:\n  b:\n    c: 1\n', ['a', 'b'], 'a: {}\n'],
    ['a: # why\n  b: 1\nd: 3\n', ['a', 'b'], 'a: # why\n  {}\nd: 3\n'],
    ['a: { b: 1, c: 2 } # x\n', ['a', 'b'], 'a: { c: 2 } # x\n'],
    ['a: { b: 1, c: 2 }\n', ['a', 'c'], 'a: { b: 1 }\n'],
    ['a: { b: 1 }\n', ['a', 'b'], 'a: {}\n'],
    ['{ "a": { "b": 1, "c": 2 } }\n', ['a', 'b'], '{ "a": { "c": 2 } }\n'],
    ['a: [x, y, z]\n', ['a', 0], 'a: [y, z]\n'],
    ['a: [x, y, z]\n', ['a', 2], 'a: [x, y]\n'],
    ['a: [x]\n', ['a', 0], 'a: []\n'],
    ['a:\n  - x\n  - y # w\n  - z\nb: 1\n', ['a', 1], 'a:\n  - x\n  - z\nb: 1\n'],
    ['a:\n- x\n- y\nb: 1\n', ['a', 0], 'a:\n- y\nb: 1\n'],
    ['a:\n  - name: x\n    of: y\n  - name: z\n', ['a', '0'], 'a:\n  - name: z\n'],
    ['a:\n  - name: x\n    of: y\n', ['a', 0], 'a: []\n'],
    ['a:\n  - name: x\n    of: y\n', ['a', 0, 'name'], 'a:\n  - of: y\n'],
    ['a: 1\n', ['b'], 'a: 1\n'],
    ['a: [x]\n', ['a', 1], 'a: [x]\n'],
    ['a: 1\n', ['a', 'b'], 'a: 1\n'],
  ])('%j without %j', (before, path, after) => {
    expect(removeEntry(before, path)).toBe(after);
  });

  it('takes along what would be empty then', () => {
    expect(removeBranch('x: 1\na:\n  b:\n    c: 1\n', ['a', 'b', 'c'], 0)).toBe('x: 1\n');
    expect(removeBranch('x: 1\na:\n  b:\n    c: 1\n', ['a', 'b', 'c'], 1)).toBe('x: 1\na: {}\n');
    expect(removeBranch('a:\n  b: { c: 1, d: 2 }\n', ['a', 'b', 'c'], 0)).toBe('a:\n  b: { d: 2 }\n');
  });
});
