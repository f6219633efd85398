import { expect, test } from 'vitest';
import { changesFrom, type Draft } from '../support/edits.ts';

const countedTo =
  (bound: number | undefined) =>
  ({ components: { schemas } }: Draft): void => {
    const { properties } = schemas.PageInfo;
    if (bound === undefined) return;
    properties.totalCount.maximum = bound;
    properties.totalCountIsExact = { type: 'boolean' };
  };
const told = async (before: number | undefined, after: number | undefined) => {
  const changes = await changesFrom(countedTo(before), countedTo(after));
  return changes
    .filter(({ rule, subject }) => rule.startsWith('count-bound') && subject === 'Product')
    .map(({ impact, rule, message }) => [impact, rule, message]);
};

test.concurrent('a count that is bounded, or bounded lower, breaks who relies on it', async () => {
  expect(await told(10_000, 100)).toEqual([
    ['major', 'count-bound-added', 'Entries of Product are counted up to 100 only, no longer up to 10000.'],
  ]);
  expect(await told(undefined, 100)).toEqual([
    ['major', 'count-bound-added', 'Entries of Product are counted up to 100 only.'],
  ]);
});

test.concurrent('a count that goes further breaks nobody', async () => {
  expect(await told(10_000, 100_000)).toEqual([
    ['minor', 'count-bound-raised', 'Entries of Product are counted up to 100000, no longer only up to 10000.'],
  ]);
});
