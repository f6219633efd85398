import { buildSchema, getOperationAST, parse } from 'graphql';
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

function cost(query: string, variables: Readonly<Record<string, unknown>> = {}): number {
  const document = parse(query);
  return costOf(schema, document, getOperationAST(document)!)(variables);
}

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
