import { type FieldNode, type GraphQLResolveInfo, Kind, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { selectionReader } from '../../../src/runtime/graphql/fields/asked-properties.ts';
import type { ResolverRuntime } from '../../../src/runtime/graphql/fields/resolver-runtime.ts';
import { property, resource } from '../../support/descriptors.ts';

const orders = resource('orders', 'Order', [property('note'), property('user_id', { type: 'uuid' })]);
const runtime = {
  descriptor: {
    types: { Order: 'orders' },
    fields: {
      'Order.user': { kind: 'reference', resource: 'users', property: 'userId' },
      'Order.userId': { kind: 'property', property: 'user_id' },
      'Order.items': { kind: 'connection', resource: 'items', property: 'orderId' },
      'Order.total': { kind: 'custom', access: {} },
    },
  },
  replaced: new Set(['Order.seal']),
} as unknown as ResolverRuntime;
const selectionOf = selectionReader(runtime, orders, 'connection');

/** The fields of an operation, as an execution gives them to the resolver of the one that they are selected as. */
function infoOf(document: string): GraphQLResolveInfo {
  const { definitions } = parse(document);
  const fragments = Object.fromEntries(
    definitions.flatMap((one) => (one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one]] : [])),
  );
  const [operation] = definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION);
  const fieldNodes = operation!.selectionSet.selections as readonly FieldNode[];
  return { fieldNodes, fragments } as unknown as GraphQLResolveInfo;
}

/** What a document asks for of the rows of its only field. */
function asked(document: string): readonly string[] | undefined {
  const { asked: names } = selectionOf(infoOf(document));
  return names && [...names].sort();
}

describe('what a document asks for of one row', () => {
  const ofRow = selectionReader(runtime, orders, 'row');
  const asked = (document: string) => ofRow(infoOf(document)).asked;

  it('is below its field, also in fragments', () => {
    expect(asked('{ order { id ...A user { name } } } fragment A on Order { n: note }')).toEqual(
      new Set(['id', 'note', 'userId']),
    );
    expect(asked('{ order { id total } }')).toBeUndefined();
  });
});

describe('what a document asks for of the rows of a connection', () => {
  it('is below its nodes, and the nodes of its edges, by name and not by alias', () => {
    expect(
      asked('{ orders { nodes { id n: note } edges { cursor node { version } } pageInfo { hasNextPage } } }'),
    ).toEqual(['id', 'note', 'version']);
    expect(asked('{ orders { totalCount } }')).toEqual([]);
  });

  it('is also in fragments, and in all fields of one name', () => {
    const fragments = 'fragment A on OrderConnection { nodes { ...B } } fragment B on Order { id ...B }';
    expect(asked(`{ orders { ...A nodes { ... @include(if: $x) { note } } } } ${fragments}`)).toEqual(['id', 'note']);
    expect(asked('{ orders { nodes { id } } orders { nodes { note } } }')).toEqual(['id', 'note']);
  });

  it('is a property by another name, that of a reference, and nothing for a connection', () => {
    expect(asked('{ orders { nodes { user { name } } } }')).toEqual(['userId']);
    expect(asked('{ orders { nodes { userId } } }')).toEqual(['user_id']);
    expect(asked('{ orders { nodes { items { nodes { id } } } } }')).toEqual([]);
  });

  it('is told apart by all fields that are selected together, and by the count', () => {
    const info = infoOf('{ orders { nodes { id } } orders { nodes { note } } orders { totalCount } }');
    const together = (...which: readonly number[]): GraphQLResolveInfo => ({
      ...info,
      fieldNodes: which.map((i) => info.fieldNodes[i]!),
    });
    const selections = [together(0), together(0, 1), together(0, 2), together(0, 1)].map((one) => selectionOf(one));
    expect(selections.map(({ asked: names, isCounted }) => [[...names!], isCounted])).toEqual([
      [['id'], false],
      [['id', 'note'], false],
      [['id'], true],
      [['id', 'note'], false],
    ]);
    expect(new Set(selections).size).toBe(3);
  });

  it('is all where hand-written code answers a field', () => {
    expect(asked('{ orders { nodes { id total } } }')).toBeUndefined();
    expect(asked('{ orders { edges { node { seal } } } }')).toBeUndefined();
  });
});
