import { describe, expect, test } from 'vitest';
import { breakingRestEdits, breakingSdlEdits } from './support/breaking-edits.ts';
import { compatibleRestEdits, compatibleSdlEdits } from './support/compatible-edits.ts';
import { changesOfRest, changesOfSdl, impactOf } from './support/edits.ts';

test('there are as many edits as are promised', () => {
  expect(breakingRestEdits.length + breakingSdlEdits.length).toBeGreaterThanOrEqual(100);
  expect(compatibleRestEdits.length + compatibleSdlEdits.length).toBeGreaterThanOrEqual(25);
});

describe.concurrent('what breaks callers is major', () => {
  test.each(breakingRestEdits)('over REST: %s', async (_, edit) => {
    expect(impactOf(await changesOfRest(edit))).toBe('major');
  });

  test.each(breakingSdlEdits)('over GraphQL: %s', async (_, edit) => {
    expect(impactOf(await changesOfSdl(edit))).toBe('major');
  });
});

const named = <T extends readonly [string, unknown]>(edits: readonly T[], name: string): T[1] =>
  edits.find(([one]) => one === name)![1];

describe.concurrent('what is told of a change', () => {
  const told = async (name: string) => {
    const changes = await changesOfRest(named(breakingRestEdits, name) as (document: unknown) => void);
    return changes
      .filter(({ impact }) => impact === 'major')
      .map(({ area, rule, message }) => `${area} ${rule}: ${message}`);
  };

  test('is what rows would have to lose, or be given', async () => {
    expect(await told('a new property that ProductInput requires')).toContain(
      'storage storage-needs-migration: Column products.grade is new and required, with no default.',
    );
    expect(await told('a rating is a fraction')).toContainEqual(
      expect.stringMatching(
        /^storage storage-needs-migration: Column products_reviews\.rating is \w+, the contract needs /,
      ),
    );
    expect(await told('users keep products')).toContain(
      'rest on-delete-changed: When the target of User.favouriteProductId is deleted, the rule is restrict, no longer set-null.',
    );
  });

  test('is a patch for columns and tables that nobody needs any more', async () => {
    const changes = await changesOfRest(named(breakingRestEdits, 'the items of orders are gone') as never);
    expect(changes).toContainEqual(
      expect.objectContaining({
        area: 'storage',
        impact: 'patch',
        message: 'Table orders_items is not in the contract.',
      }),
    );
  });

  test.each([
    ['a deprecation', ['changed', 'x-sunset was modified.']],
    ['another error', ['error-words-changed', 'The error OUT_OF_STOCK has another title or description.']],
    ['another description', ['changed', '`description` of Info was modified.']],
  ])('is a patch where it is words: %s', async (name, expected) => {
    const changes = await changesOfRest(named(compatibleRestEdits, name) as never);
    expect(changes.map(({ rule, message }) => [rule, message])).toContainEqual(expected);
    expect(impactOf(changes)).toBe('patch');
  });

  test('has its place in the contract at hand', async () => {
    const [change] = await changesOfRest(named(breakingRestEdits, 'an order can no longer be shipped') as never);
    expect(change).toMatchObject({
      rule: 'transition-removed',
      message: 'Order.status can no longer change from PAID to SHIPPED.',
      location: { file: 'openapi.json', pointer: '/components/schemas/Order/properties/status' },
    });
    const [limit] = await changesOfSdl(named(breakingSdlEdits, 'less depth') as never);
    expect(limit).toMatchObject({ rule: 'limit-changed', location: { file: 'schema.graphql' } });
  });
});

describe.concurrent('what does not is not', () => {
  test.each(compatibleRestEdits)('over REST: %s', async (_, edit) => {
    const changes = await changesOfRest(edit);
    expect(changes.filter(({ impact }) => impact === 'major')).toEqual([]);
  });

  test.each(compatibleSdlEdits)('over GraphQL: %s', async (_, edit) => {
    const changes = await changesOfSdl(edit);
    expect(changes.filter(({ impact }) => impact === 'major')).toEqual([]);
  });
});
