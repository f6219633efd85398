import { describe, expect, it } from 'vitest';
import { sdlWithout } from '../../../src/authoring/sync/sdl-without.ts';

const without = (text: string, lost: readonly string[], own: readonly string[] = []) => {
  const { texts, ...rest } = sdlWithout(new Map([['a.graphql', text]]), new Set(lost), (type) => own.includes(type));
  return { ...rest, text: texts.has('a.graphql') ? texts.get('a.graphql') : text };
};

describe('an SDL without some of its coordinates', () => {
  it.each<[what: string, text: string, lost: readonly string[], left: string | undefined]>([
    [
      'a type between others',
      'type A { a: Int }\n\n# Of B.\n"B"\ntype B {\n  b: Int\n}\n\ntype C { c: Int }\n',
      ['B'],
      'type A { a: Int }\n\ntype C { c: Int }\n',
    ],
    ['the last type', 'type A { a: Int }\n\ntype B { b: Int } # here\n', ['B'], 'type A { a: Int }\n'],
    ['the first type', 'type A { a: Int }\n\ntype B { b: Int }\n', ['A'], 'type B { b: Int }\n'],
    ['an only type', '# Of A.\ntype A { a: Int }\n', ['A'], undefined],
    [
      'a type with its extensions',
      'type A { a: Int }\nextend type A { b: Int }\ntype C { c: Int }\n',
      ['A'],
      'type C { c: Int }\n',
    ],
    [
      'a field on lines of its own',
      'type A {\n  a: Int\n  # Why.\n  "B"\n  b(\n    c: Int\n  ): Int\n  d: Int\n}\n',
      ['A.b'],
      'type A {\n  a: Int\n  d: Int\n}\n',
    ],
    [
      'a field between blank lines',
      'type A {\n  a: Int\n\n  b: Int\n\n  c: Int\n}\n',
      ['A.b'],
      'type A {\n  a: Int\n\n  c: Int\n}\n',
    ],
    ['fields of one line', 'type A { a: Int, b: Int, c: Int }\n', ['A.a', 'A.b'], 'type A { c: Int }\n'],
    ['a field at the end of a line', 'type A { a: Int b: Int }\n', ['A.b'], 'type A { a: Int }\n'],
    [
      'all fields of an extension',
      'type A { a: Int }\n\nextend type A {\n  b: Int\n}\n',
      ['A.b'],
      'type A { a: Int }\n',
    ],
    ['all fields of a type', 'type A {\n  a: Int\n}\n\ntype B { b: Int }\n', ['A.a'], 'type B { b: Int }\n'],
    [
      'an argument',
      'type A { a(b: Int, c: Int, d: Int): Int }\n',
      ['A.a(b:)', 'A.a(d:)'],
      'type A { a(c: Int): Int }\n',
    ],
    [
      'arguments on lines',
      'type A {\n  a(\n    b: Int\n    c: Int\n  ): Int\n}\n',
      ['A.a(b:)'],
      'type A {\n  a(\n    c: Int\n  ): Int\n}\n',
    ],
    ['all arguments', 'type A { a(b: Int, c: Int): Int }\n', ['A.a(b:)', 'A.a(c:)'], 'type A { a: Int }\n'],
    ['values', 'enum A { X Y Z }\n', ['A.Y'], 'enum A { X Z }\n'],
    ['types of a union', 'union U = A | B | C\ntype C { c: Int }\n', ['A', 'U.B'], 'union U = C\ntype C { c: Int }\n'],
    ['types of a union on lines', 'union U =\n  | A\n  | B\n', ['U.A'], 'union U =\n  | B\n'],
    [
      'a root',
      'schema {\n  query: Query\n  mutation: Mutation\n}\n\ntype Query { a: Int }\n\ntype Mutation { b: Int }\n',
      ['Mutation.b'],
      'schema {\n  query: Query\n}\n\ntype Query { a: Int }\n',
    ],
    [
      'a type that is still needed',
      'scalar D\n\ntype A { a: D, b: D }\n',
      ['D', 'A.b'],
      'scalar D\n\ntype A { a: D }\n',
    ],
    [
      'what only another lost one needs',
      'input P { q: R }\n\ninput R { s: Int }\n\ntype C { c: Int }\n',
      ['P', 'R'],
      'type C { c: Int }\n',
    ],
    ['what is not there', 'type A { a: Int }\n', ['B', 'A.b', 'A.a(b:)'], 'type A { a: Int }\n'],
  ])('lacks %s', (_what, text, lost, left) => {
    const { text: after, referring } = without(text, lost);
    expect(after).toBe(left);
    expect(referring).toEqual([]);
  });

  it('names what refers to types that must go', () => {
    const { referring } = without('type A { a: Int }\ntype B {\n  a: [A!]!\n  b(c: A): Int\n}\n', ['A'], ['A']);
    expect(referring).toEqual([
      { type: 'A', by: 'B.a', file: 'a.graphql', line: 3 },
      { type: 'A', by: 'B.b(c:)', file: 'a.graphql', line: 4 },
    ]);
  });
});
