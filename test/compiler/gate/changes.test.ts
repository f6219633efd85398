import { describe, expect, test } from 'vitest';
import { differencesOf } from '../../../src/compiler/model/versions/differences.ts';
import { oneIn } from '../../support/thorough.ts';
import { breakingRestEdits, breakingSdlEdits } from './support/breaking-edits.ts';
import { compatibleRestEdits, compatibleSdlEdits } from './support/compatible-edits.ts';
import { declaredEdits, tightenedEdits, withdrawnEdits } from './support/declared-edits.ts';
import {
  changesFrom,
  changesOfRest,
  changesOfSdl,
  type Draft,
  editionOf,
  impactOf,
  released,
} from './support/edits.ts';

test('there are as many edits as are promised', () => {
  const breaking = [breakingRestEdits, breakingSdlEdits, tightenedEdits, withdrawnEdits];
  expect(breaking.flat().length).toBeGreaterThanOrEqual(150);
  expect([compatibleRestEdits, compatibleSdlEdits, declaredEdits].flat().length).toBeGreaterThanOrEqual(40);
});

/** Each edit takes a process of Redocly's. */
const some = <T>(edits: readonly T[]): readonly T[] => oneIn(50, edits);

describe.concurrent('what breaks callers is major', () => {
  test.each(some(breakingRestEdits))('over REST: %s', async (_, edit) => {
    expect(impactOf(await changesOfRest(edit))).toBe('major');
  });

  test.each(some(breakingSdlEdits))('over GraphQL: %s', async (_, edit) => {
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
    ['a deprecation', ['changed', '`x-sunset` of operation `replaceProduct` was set to "2030-01-01".']],
    ['another error', ['error-words-changed', 'The error OUT_OF_STOCK has another title or description.']],
    ['another description', ['changed', '`description` of `info` was modified.']],
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
  test.each(some(compatibleRestEdits))('over REST: %s', async (_, edit) => {
    const changes = await changesOfRest(edit);
    expect(changes.filter(({ impact }) => impact === 'major')).toEqual([]);
  });

  test.each(some(compatibleSdlEdits))('over GraphQL: %s', async (_, edit) => {
    const changes = await changesOfSdl(edit);
    expect(changes.filter(({ impact }) => impact === 'major')).toEqual([]);
  });
});

describe.concurrent('what the server has always done', () => {
  test('may be declared', async () => {
    const changes = await changesOfRest((d) => {
      for (const [, edit] of declaredEdits) edit(d);
    });
    expect(changes.filter(({ impact }) => impact === 'major')).toEqual([]);
    expect(changes).toContainEqual(
      expect.objectContaining({
        impact: 'minor',
        rule: 'constraint-declared',
        subject: 'Id',
        message: "`maxLength` of `Id` was set to '36'; the server has always acted so.",
      }),
    );
    expect(changes).toContainEqual(expect.objectContaining({ impact: 'minor', rule: 'error-code-added' }));
  });

  test('is not what is nearly so', async () => {
    const changes = await changesOfRest((d) => {
      for (const [, edit] of tightenedEdits) edit(d);
    });
    const major = changes.filter(({ impact }) => impact === 'major');
    expect([...new Set(major.map(({ subject }) => subject))].sort()).toEqual(
      tightenedEdits.map(([, , subject]) => subject).sort(),
    );
  });

  test('bounds integers by their format, and closes objects', async () => {
    const [int32, safe] = [
      { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 },
      { minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
    ];
    const object = { type: 'object', properties: { a: { type: 'string' } } };
    const pairs: readonly (readonly [before: object, after: object, impact: string])[] = [
      [{ type: 'integer' }, { type: 'integer', ...safe }, 'minor'],
      [{ type: 'integer', ...safe }, { type: 'integer' }, 'minor'],
      [{ type: 'integer', format: 'int32' }, { type: 'integer', format: 'int32', ...int32 }, 'minor'],
      [{ type: 'integer', ...int32 }, { type: 'integer', format: 'int32' }, 'minor'],
      [{ type: 'integer' }, { type: 'integer', format: 'int32' }, 'major'],
      [{ type: 'integer', format: 'int32' }, { type: 'integer' }, 'major'],
      [{ type: 'integer' }, { type: 'integer', ...int32 }, 'major'],
      [{ type: 'string' }, { type: 'string', format: 'password' }, 'minor'],
      [{ type: 'string' }, { type: 'string', format: 'uuid' }, 'major'],
      [object, { ...object, additionalProperties: false }, 'minor'],
      [{ ...object, additionalProperties: false }, object, 'minor'],
      [{ ...object, additionalProperties: true }, object, 'major'],
      [{ ...object, additionalProperties: true }, { ...object, additionalProperties: false }, 'major'],
    ];
    const withSide = (side: 0 | 1) => (d: Draft) => {
      for (const [i, pair] of pairs.entries()) d.components.schemas.Dimensions.properties[`p${i}`] = pair[side];
    };
    const changes = await changesFrom(withSide(0), withSide(1));
    const impacts = pairs.map((_, i) => impactOf(changes.filter(({ subject }) => subject === `Dimensions.p${i}`)));
    expect(impacts).toEqual(pairs.map(([, , impact]) => impact));
  });

  test('accepts more where a parameter loses a pattern, or has the one that always holds', async () => {
    const pairs: readonly (readonly [before: object, after: object, impact: string])[] = [
      [{ pattern: '^[a-z]+$' }, {}, 'minor'],
      [{ pattern: '^[a-z]+$' }, { pattern: '^[^\\x00]*$' }, 'minor'],
      [{ format: 'int64', pattern: '^\\d{1,19}$' }, { format: 'int64' }, 'minor'],
      [{ pattern: '^[a-z]+$' }, { pattern: '^[a-z0-9]+$' }, 'major'],
      [{}, { pattern: '^[a-z]+$' }, 'major'],
    ];
    const withSide = (side: 0 | 1) => (d: Draft) => {
      const properties = Object.fromEntries(pairs.map((pair, i) => [`p${i}`, { type: 'string', ...pair[side] }]));
      const schema = { type: 'object', properties, additionalProperties: false };
      const parameter = { name: 'where', in: 'query', style: 'deepObject', explode: true, schema };
      d.paths['/products/{productId}/rating-summary'].get.parameters = [parameter];
    };
    const changes = await changesFrom(withSide(0), withSide(1));
    const impacts = pairs.map((_, i) => impactOf(changes.filter(({ subject }) => subject?.endsWith(`.p${i}`))));
    expect(impacts).toEqual(pairs.map(([, , impact]) => impact));
  });

  test('refuses what an input no longer names, whether it says that it is closed or not', async () => {
    const open = (d: Draft) => {
      delete d.components.schemas.ReviewPatch.additionalProperties;
    };
    const changes = await changesFrom(open, (d) => {
      open(d);
      delete d.components.schemas.ReviewPatch.properties.title;
    });
    expect(changes).toContainEqual(
      expect.objectContaining({
        impact: 'major',
        rule: 'property-removed',
        subject: 'ReviewPatch.title',
        message: 'Property `title` of `ReviewPatch` was removed.',
      }),
    );
  });
});

test('what was written and is taken back is major', async () => {
  const changes = await changesOfRest((d) => {
    for (const [, edit] of withdrawnEdits) edit(d);
  });
  const major = changes.filter(({ impact }) => impact === 'major').map(({ message }) => message);
  expect(major).toEqual(expect.arrayContaining(withdrawnEdits.map(([, , message]) => message)));
});

describe('what a step must translate', () => {
  const closed = (d: Draft) => {
    const { ErrorCode } = d.components.schemas;
    ErrorCode.enum.push('SHOP_CLOSED');
    ErrorCode['x-error-codes'].SHOP_CLOSED = {
      status: 409,
      title: 'Closed',
      description: 'At night.',
      retryable: true,
    };
  };
  const codesOf = async (edit: (d: Draft) => void) => {
    const now = await editionOf(edit);
    return differencesOf({ ...released.model, deprecated: '2026-11-21' }, now.model).errors.codes;
  };

  test('is no code that only a new operation answers', async () => {
    const operation = {
      operationId: 'openShop',
      description: 'Opens it.',
      responses: { 204: { description: 'Open.' }, 409: { description: 'Not yet.', 'x-error-codes': ['SHOP_CLOSED'] } },
    };
    const codes = await codesOf((d) => {
      closed(d);
      d.paths['/openings'] = { post: operation };
    });
    expect(codes).toEqual([]);
  });

  test('is a code that an operation of the old version may answer now', async () => {
    const codes = await codesOf((d) => {
      closed(d);
      d.paths['/orders'].post.responses['409']['x-error-codes'].push('SHOP_CLOSED');
    });
    expect(codes).toEqual(['SHOP_CLOSED']);
  });
});
