import { describe, expect, it } from 'vitest';
import type { PropertyDescriptor, PropertyType } from '../../../src/descriptor/resource.ts';
import { rowTest } from '../../../src/runtime/engine/access/fields.ts';
import type { Condition } from '../../../src/runtime/storage/store.ts';

const TYPES = {
  name: 'string',
  count: 'integer',
  day: 'date',
  price: 'decimal',
  tags: 'json',
  open: 'boolean',
} as const;
const properties = Object.entries(TYPES).map(([name, type]): PropertyDescriptor => {
  const known: PropertyType = type;
  return { name, column: name, type: known, nullable: true, required: true, origin: 'input' };
});
const row = ['Ann', 3, '2026-01-15', '1.50', '[]', 1];
const empty = properties.map(() => null);

const is = (property: string, value: string | number | null, operator: 'eq' | 'gt' | 'lte' | 'contains' = 'eq') =>
  ({ property, operator, value }) as const;

describe('a row is tested in memory', () => {
  it.each<[what: string, condition: Condition, holds: boolean, holdsForNull: boolean]>([
    ['an equality', is('name', 'Ann'), true, false],
    ['an equality with another', is('name', 'ann'), false, false],
    ['null', is('count', null), false, true],
    ['a truth', is('open', 1), true, false],
    ['a list', { property: 'name', operator: 'in', value: ['Bob', 'Ann'] }, true, false],
    ['a list of none', { property: 'price', operator: 'in', value: [] }, false, false],
    ['a range', is('count', 2, 'gt'), true, false],
    ['a range of days', is('day', '2026-01-15', 'lte'), true, false],
    ['a negation, which holds for null', { kind: 'not', comparison: is('name', 'Ann') }, false, true],
    ['all of several', { kind: 'all', conditions: [is('name', 'Ann'), is('count', 4)] }, false, false],
    ['one of several', { kind: 'any', conditions: [is('name', 'Ann'), is('count', null)] }, true, true],
  ])('by %s', (_, condition, holds, holdsForNull) => {
    const test = rowTest(properties, [condition])!;
    expect([test(row), test(empty)]).toEqual([holds, holdsForNull]);
  });

  it.each<[what: string, condition: Condition]>([
    [
      'other rows',
      { kind: 'related', property: 'id', resource: 'x', relatedProperty: 'y', conditions: [], isNone: false },
    ],
    ['the equality of decimals', is('price', '1.5')],
    ['a part of a text', is('name', 'nn', 'contains')],
    ['the order of texts', is('name', 'B', 'gt')],
    ['one of them among others', { kind: 'any', conditions: [is('name', 'Ann'), is('price', '1.5')] }],
  ])('but not by %s, which databases tell', (_, condition) => {
    expect(rowTest(properties, [condition])).toBeUndefined();
  });
});
