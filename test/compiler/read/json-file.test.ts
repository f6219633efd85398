import { readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { parseJson } from '../../../src/compiler/read/json-file.ts';
import { parseFile } from '../../../src/compiler/read/parse-file.ts';
import { SourceMap } from '../../../src/compiler/read/source-map.ts';

const START = { file: 'it.json', line: 1, column: 1, pointer: '' };

/** The locations of all nodes and keys; those below a comment of one line, which makes it YAML, are a line further down. */
function placesIn(value: unknown, map: SourceMap, further = 0): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  const moved = (at: typeof START) => ({ ...at, line: at.pointer === '' ? 1 : at.line - further });
  return [
    moved(map.locate(value)),
    ...Object.entries(value).flatMap(([key, member]) => [
      moved(map.locate(value, key)),
      ...placesIn(member, map, further),
    ]),
  ];
}

const CASES: Readonly<Record<string, string>> = {
  'a released document': readFileSync('contracts/released/v1/openapi.json', 'utf8'),
  'keys that JavaScript puts in another order':
    '{ "b": 1, "200": { "x": [] }, "100": [[{}], -1.5e3, "]"],\r\n "a": null }',
  'keys and texts with escapes':
    '{\n\t"a/b~c": "\\"{,:",\n  "\\u00e9\\n": { "": ["}", { "__proto__": { "x": true } }] } }',
  'a list': ' [ "a:", { "b":\n\n 2 } ]\n',
};

describe('a file of JSON', () => {
  it.each(Object.entries(CASES))('has the values and the places that the parser of YAML gives it: %s', (_, text) => {
    const map = new SourceMap(START);
    const value = parseJson(text, 'it.json', map)?.value;
    const yaml = new SourceMap(START);
    const asYaml = parseFile(`# YAML\n${text}`, 'it.json', yaml);
    expect(asYaml.findings).toEqual([]);
    expect(value).toEqual(asYaml.value);
    expect(placesIn(value, map)).toEqual(placesIn(asYaml.value, yaml, 1));
  });

  it('has its places for the nodes that were read, whatever has become of them', () => {
    const map = new SourceMap(START);
    const value = parseJson('{ "a": { "b": [] },\n "c": {} }', 'it.json', map)!.value as Record<string, object>;
    const { a, c } = value;
    delete value['a'];
    map.setKey(c!, 'added', { ...START, line: 7 });
    expect(map.fileOf(a!, 'b')).toBe('it.json');
    expect(map.locate(a!, 'b')).toEqual({ file: 'it.json', line: 1, column: 10, pointer: '/a/b' });
    expect(map.locate(c!)).toEqual({ file: 'it.json', line: 2, column: 2, pointer: '/c' });
    expect(map.locate(c!, 'added').line).toBe(7);
  });

  it('on one line is searched for its end once, however much it has', () => {
    const text = JSON.stringify(Array.from({ length: 1000 }, (_, id) => ({ id, name: `name ${id}` })));
    const map = new SourceMap(START);
    const value = parseJson(text, 'it.json', map)!.value as readonly object[];
    const search = vi.spyOn(String.prototype, 'indexOf');
    const last = map.locate(value[999]!, 'name');
    const searched = search.mock.calls.filter(([wanted]) => wanted === '\n').length;
    search.mockRestore();
    expect(last).toMatchObject({ line: 1, column: text.lastIndexOf('"name"') + 1 });
    expect(searched).toBe(1);
  });

  it('may have long strings', () => {
    const [plain, escaped] = ['x'.repeat(12_000_000), 'A line\n'.repeat(1_000_000)];
    const map = new SourceMap(START);
    const value = parseJson(JSON.stringify({ plain, escaped, last: 1 }), 'it.json', map)!.value as Record<
      string,
      string
    >;
    expect([value['plain'] === plain, value['escaped'] === escaped]).toEqual([true, true]);
    expect(map.locate(value, 'last').pointer).toBe('/last');
  });

  it('is left to the parser of YAML where something has to be said of it', () => {
    const rulesOf = (text: string) => parseFile(text, 'it.json', new SourceMap(START)).findings.map(({ rule }) => rule);
    expect(rulesOf('{ "a": 1, "b": { "a": 1, "\\u0061": 2 } }')).toEqual(['duplicate-key']);
    expect(rulesOf('{ "a": 1e999 }')).toEqual(['syntax']);
    expect(rulesOf('{ "a": 1')).toEqual(['syntax']);
    expect(parseJson(`${'['.repeat(300)}${']'.repeat(300)}`, 'it.json', new SourceMap(START))).toBeUndefined();
  });
});
