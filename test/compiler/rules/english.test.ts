import { describe, expect, it } from 'vitest';
import { closest } from '../../../src/compiler/findings/wording.ts';
import { isPlural, pluralOf } from '../../../src/compiler/rules/english.ts';

describe('the last word of a segment', () => {
  it.each([
    'books',
    'line-items',
    'people',
    'grandchildren',
    'statuses',
    'criteria',
    'metadata',
    'malware',
    'homework',
  ])('%s is a plural', (segment) => expect(isPlural(segment)).toBe(true));

  it.each(['book', 'line-item', 'person', 'status', 'address', 'analysis'])('%s is none', (segment) =>
    expect(isPlural(segment)).toBe(false),
  );

  it.each([
    ['book', 'books'],
    ['delivery-address', 'delivery-addresses'],
    ['entry', 'entries'],
    ['status', 'statuses'],
  ])('%s would be %s', (segment, plural) => expect(pluralOf(segment)).toBe(plural));
});

it.each([
  ['prodcts', 'products'],
  ['owner-id', 'ownerId'],
  ['prod', 'products'],
  ['titel', 'title'],
  ['lsit', 'list'],
  ['xyz', undefined],
])('%s most likely means %s', (name, meant) =>
  expect(closest(name, ['products', 'orders', 'ownerId', 'title', 'list'])).toBe(meant),
);
