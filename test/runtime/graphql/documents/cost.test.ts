import { buildSchema, type GraphQLSchema, getOperationAST, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { costOf } from '../../../../src/runtime/graphql/documents/cost.ts';

const schema = buildSchema(`
  directive @listSize(assumedSize: Int, slicingArguments: [String!], sizedFields: [String!]) on FIELD_DEFINITION
  type Query {
    top: [Song!]! @listSize(assumedSize: 3)
    best(count: Int = 4, more: Int): [Song!]! @listSize(assumedSize: 50, slicingArguments: ["count", "more"])
    any: [Song!]!
    songs(first: Int = 20): SongConnection! @listSize(assumedSize: 100, slicingArguments: ["first"], sizedFields: ["nodes"])
  }
  type SongConnection { nodes: [Song!]! totalCount: Int! }
  type Song { title: String! writers: [Writer!]! @listSize(assumedSize: 2) }
  type Writer { name: String! }
`);

type Variables = Readonly<Record<string, unknown>>;

function costIn(of: GraphQLSchema, query: string, variables: Variables): number {
  const document = parse(query);
  const found = costOf(of, document, getOperationAST(document)!);
  return typeof found === 'number' ? found : found(variables);
}

const cost = (query: string, variables: Variables = {}): number => costIn(schema, query, variables);

describe('the cost of a list', () => {
  it.each([
    ['the size that is assumed', '{ top { title } }', 3],
    ['the size that is assumed, within another', '{ top { writers { name } } }', 3 * (1 + 2)],
    ["the argument's default", '{ best { title } }', 4],
    ['the argument', '{ best(count: 7) { title } }', 7],
    ['the greatest of several arguments', '{ best(count: 7, more: 9) { title } }', 9],
    ['no more than the size that is assumed', '{ best(count: 1000) { title } }', 50],
    ['ten, when nothing is said', '{ any { title } }', 10],
  ])('without `sizedFields` counts %s', (_, query, expected) => {
    expect(cost(query)).toBe(expected);
  });

  it('without `sizedFields` counts a variable', () => {
    const query = 'query($n: Int) { best(count: $n) { title } }';
    expect([cost(query, { n: 8 }), cost(query)]).toEqual([8, 4]);
  });

  it('with `sizedFields` counts them, and the connection once', () => {
    expect(cost('{ songs(first: 6) { totalCount nodes { title } } }')).toBe(1 + 6);
  });
});

describe('the cost of a filter', () => {
  const filtered = buildSchema(`
    directive @listSize(assumedSize: Int, slicingArguments: [String!], sizedFields: [String!]) on FIELD_DEFINITION
    type Query {
      songs(filter: SongFilter): Songs! @listSize(assumedSize: 5, sizedFields: ["nodes"])
      plain(filter: PlainFilter): Songs! @listSize(assumedSize: 5, sizedFields: ["nodes"])
    }
    type Songs { nodes: [Song!]! totalCount: Int! }
    type Song { title: String! covers(filter: CoverFilter): Songs! @listSize(assumedSize: 5, sizedFields: ["nodes"]) }
    input PlainFilter { title: TextFilter plays: Int }
    input TextFilter { eq: String in: [String!] isNull: Boolean }
    input SongFilter { and: [SongFilter!] or: [SongFilter!] not: SongFilter title: TextFilter plays: [Int!] covers: SongListFilter }
    input SongListFilter { some: SongFilter none: SongFilter }
    input CoverFilter { song: CoverSongFilter }
    input CoverSongFilter { plays: Int }
  `);
  const of = (query: string, variables: Variables = {}): number => costIn(filtered, query, variables);

  it.each([
    ['nothing', '{}', 1],
    ['a value, and a list of values', '{ title: { eq: "a", in: ["b", "c"] }, plays: [1, 2, 3] }', 3],
    ['values in each alternative', '{ or: [{ plays: [1] }, { not: { title: { isNull: true, eq: "a" } } }] }', 3],
    ['no alternative', '{ or: [] }', 1],
    ['rows that there are', '{ covers: { some: {}, none: { plays: 1 } } }', 2],
  ])('that compares %s is the same in the document and in variables', (_, filter, expected) => {
    expect(of(`{ songs(filter: ${filter}) { totalCount } }`)).toBe(1 + expected);
    const asVariable = 'query ($f: SongFilter) { songs(filter: $f) { totalCount } }';
    const f: unknown = JSON.parse(filter.replaceAll(/(\w+):/g, '"$1":'));
    expect(of(asVariable, { f })).toBe(1 + expected);
    expect(of(asVariable.replace('SongFilter)', `SongFilter = ${filter})`))).toBe(1 + expected);
    expect(of(asVariable)).toBe(1);
  });

  it('counts variables within it', () => {
    const query =
      'query ($n: [Int!], $t: String = "a") { songs(filter: { plays: $n, title: { eq: $t } }) { totalCount } }';
    expect([of(query, { n: [1, 2] }), of(query)]).toEqual([3, 2]);
  });

  it('is that of each list that takes it', () => {
    expect(of('{ songs { nodes { covers(filter: { song: { plays: 1 } }) { totalCount } } } }')).toBe(
      1 + 5 * (1 + 1 + 1),
    );
  });

  it('is no more than that of the longest, however deep and long', () => {
    const query = 'query ($f: SongFilter) { songs(filter: $f) { totalCount } }';
    expect(of(query, { f: { or: Array.from({ length: 500 }, () => ({ plays: 1 })) } })).toBe(51);
    const deep = Array.from({ length: 4000 }).reduce<object>((not) => ({ not }), { plays: 1 });
    expect(of(query, { f: deep })).toBe(2);
  });

  it('is nothing where it goes by single properties', () => {
    expect(of('{ plain(filter: { plays: 1, title: { eq: "a", in: ["b"] } }) { totalCount } }')).toBe(1);
  });
});
