import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { Change } from '../../../src/compiler/gate/changes/change.ts';
import { type Release, readReleases } from '../../../src/compiler/gate/changes/releases.ts';
import { versionChanges } from '../../../src/compiler/gate/changes/version-changes.ts';
import { readerChanges } from '../../../src/readers/docs/pages/reader-changes.ts';
import { breakingRestEdits, breakingSdlEdits } from '../../compiler/gate/support/breaking-edits.ts';
import { compatibleRestEdits, compatibleSdlEdits } from '../../compiler/gate/support/compatible-edits.ts';
import { declaredEdits, withdrawnEdits } from '../../compiler/gate/support/declared-edits.ts';
import { changesOfRest, changesOfSdl, type Draft, released, type SdlEdit } from '../../compiler/gate/support/edits.ts';

type Recorded = Release['changes'][number];

const change = (given: Partial<Recorded> & Pick<Recorded, 'rule'>): Recorded => ({
  impact: 'major',
  area: 'rest',
  message: '…',
  facts: {},
  ...given,
});
const told = (...changes: readonly Recorded[]) =>
  readerChanges({ version: '1.1.0', apiVersion: 'v1', date: '2026-11-21', changes });

const rest = changesOfRest((document: Draft) => {
  const { schemas } = document.components;
  schemas.Product.required = schemas.Product.required.filter((name: string) => name !== 'name');
  schemas.ProductInput.required.push('description', 'imageUrl');
  schemas.Dimensions.properties.unit = { type: 'string', maxLength: 2 };
  schemas.Dimensions.properties.volume = { type: 'integer', readOnly: true };
  schemas.Dimensions.required.push('unit', 'volume');
  schemas.OrderStatus.enum.push('RETURNED');
  schemas.OrderStatus['x-transitions'].DELIVERED = ['RETURNED'];
  document.paths['/orders'].get.operationId = 'listPurchases';
  const { get } = document.paths['/products/{productId}/rating-summary'];
  get.parameters = [{ name: 'since', in: 'query', schema: { type: 'string', format: 'date' } }];
  const edits = [...breakingRestEdits, ...compatibleRestEdits, ...declaredEdits, ...withdrawnEdits];
  const others = [
    'Order.note is gone',
    'a title may be null',
    'a rating is a fraction',
    'a note is a number',
    'shorter titles',
    'smaller pages at most',
    'smaller pages unless told',
    'orders come in another order',
    'a filter must be given',
    'products are no longer sorted by name',
    'another scope for post /orders',
    'reading /products/{productId} needs a token',
    'a body of another type',
    'names of products are unique',
    'currencies stay',
    'users keep products',
    'no scope frees from owning users',
    'an order can no longer be cancelled',
    'an error is gone',
    'how long an id is',
    '412 of a change',
    'ETag at all times',
    'a deprecation',
    'another description',
  ];
  for (const name of others) edits.find(([one]) => one === name)![1](document);
});

const sdlEdits = [...breakingSdlEdits, ...compatibleSdlEdits];
const sdl = (...names: readonly string[]) =>
  changesOfSdl((node) => names.reduce((edited, name) => sdlEdit(name)(edited), node));
const sdlEdit = (name: string): SdlEdit[1] => sdlEdits.find(([one]) => one === name)![1];

const graphql = sdl(
  'Product.stock is gone',
  'Mutation.createOrder is gone',
  'no order of products',
  'first is required',
  'a new argument of a mutation that is required',
  'a new property is required',
  'a note is required',
  'a quantity is text',
  'User.email may be null',
  'tags are one',
  'a status is gone',
  'a delivery is gone',
  'another default order',
  'another scope to create',
  'less depth',
  'a product weighs more',
  'a field',
  'a type',
  'an argument that need not be given',
  'a user without a token',
  'a field that is old',
);

/** A version of another path, whose own old version and host are gone, too. */
const versions = versionChanges({
  newest: {
    apiVersion: 'v0',
    document: {
      ...released.model.document,
      info: {
        ...released.model.document.info,
        'x-versions': { old: { deprecated: '2026-01-01', sunset: '2027-01-01' } },
      },
      servers: [{ url: '/v0' }],
    },
  },
  current: released,
  apiVersion: 'v1',
  date: '2026-11-21',
});

describe('the changelog for readers', () => {
  test('says once what both protocols say, under its type, with what to do', () => {
    const type = { keyword: 'type', from: 'string', to: ['null', 'string'] };
    const changes = told(
      change({ rule: 'schema-type-changed', subject: 'Order.note', facts: type }),
      change({
        area: 'graphql',
        rule: 'field-type-changed',
        subject: 'Order.note',
        facts: { keyword: 'type', from: 'String!', to: 'String' },
      }),
    );
    expect(changes).toEqual([
      {
        impact: 'major',
        owner: 'Order',
        text: '`Order.note` can be null now.',
        advice: 'Handle null.',
        protocols: new Set(['REST', 'GraphQL']),
      },
    ]);
  });

  test('has nothing of storage, of words, and no details of what is gone or new', () => {
    const required = { keyword: 'required', from: ['id', 'note'], to: ['id', 'grade'] };
    const changes = told(
      change({ area: 'storage', rule: 'storage-unused', subject: 'orders.note' }),
      change({ impact: 'patch', rule: 'changed', subject: 'listOrders', facts: { keyword: 'summary', to: 'B' } }),
      change({ impact: 'minor', rule: 'added', subject: 'Deleted', facts: { keyword: 'headers' } }),
      change({ rule: 'required-properties-removed', subject: 'Order', facts: required }),
      change({ impact: 'minor', rule: 'changed', subject: 'Order', facts: required }),
      change({ rule: 'property-removed', subject: 'Order.note' }),
      change({ impact: 'minor', rule: 'added', subject: 'Order.grade' }),
      change({ rule: 'required-properties-added', subject: 'OrderInput', facts: required }),
      change({ impact: 'minor', rule: 'added', subject: 'OrderInput.grade' }),
    );
    expect(changes.map(({ text }) => text)).toEqual([
      '`Order.note` is gone.',
      '`Order.grade` is new.',
      '`OrderInput.grade` must be sent now.',
    ]);
  });

  test('has what records without facts say, and none of their patches', () => {
    const old = { area: 'rest', rule: 'changed' } as const;
    const changes = told(
      { ...old, impact: 'major', message: 'Property `title` of `Product` was removed.' },
      { ...old, impact: 'minor', subject: 'ProductSort.NAME', message: "Enum value 'NAME' was added." },
      { ...old, impact: 'patch', message: '`description` was modified.' },
      { ...old, impact: 'major', rule: 'union-member-removed', message: "Member 'DigitalDelivery' was removed." },
    );
    expect(changes.map(({ owner, text }) => [owner, text])).toEqual([
      ['', 'Property `title` of `Product` was removed.'],
      ['ProductSort', "Enum value 'NAME' was added."],
      ['', "Member 'DigitalDelivery' was removed."],
    ]);
  });

  test('has a sentence for the record that is documented', async () => {
    const [, recorded = ''] =
      /```json\n(\{\n {2}"impact".*?)```/s.exec(await readFile('docs/releases.md', 'utf8')) ?? [];
    expect(told(JSON.parse(recorded)).map(({ text }) => text)).toEqual([
      '`maxLength` of `OrderInput.note` is `18` now, `20` before.',
    ]);
  });

  test('has what a release has recorded', () => {
    const [newest] = readReleases('contracts');
    expect(readerChanges(newest!).map(({ text, advice }) => [text, advice])).toEqual(
      expect.arrayContaining([
        ['`listProducts.title` is called `name` now.', 'Use `name`.'],
        ['`listProducts.sort` can no longer be `title`, `-title`.', 'Send one of the others.'],
        ['`ProductInput.name` must be sent now.', 'Send it.'],
        ['The sunset of `v0` is 2027-11-30, no longer open.', undefined],
      ]),
    );
  });

  test('has values before and after, versions, and why a break was waived', () => {
    const facts = { keyword: 'maxLength', from: 20, to: 18 };
    const [bound, state, version] = told(
      change({ rule: 'schema-constraint-changed', subject: 'OrderInput.note', facts, waived: 'Nobody sends more.' }),
      change({ rule: 'transition-removed', subject: 'Order.status', facts: { from: 'PAID', to: 'PENDING' } }),
      change({
        impact: 'minor',
        area: 'versions',
        rule: 'sunset-changed',
        subject: 'v0',
        facts: { to: '2027-11-30' },
      }),
    );
    expect(bound).toMatchObject({
      text: '`maxLength` of `OrderInput.note` is `18` now, `20` before.',
      waived: 'Nobody sends more.',
    });
    expect(state?.text).toBe('`Order.status` can no longer change from PAID to PENDING.');
    expect(version).toMatchObject({ owner: '', text: 'The sunset of `v0` is 2027-11-30, no longer open.' });
  });

  test('takes apart what comparisons find, and says the greater break where both protocols say it', async () => {
    const alike = change({
      impact: 'minor',
      area: 'graphql',
      rule: 'enum-value-added',
      subject: 'OrderStatus.RETURNED',
    });
    const texts = told(alike, ...(await rest)).map(({ impact, text, advice }) => [impact, text, advice]);
    expect(texts).toEqual(
      expect.arrayContaining([
        ['major', '`Product.name` may be left out of answers now.', 'Do without it.'],
        ['major', '`ProductInput.description` must be sent now.', 'Send it.'],
        ['major', '`ProductInput.imageUrl` must be sent now.', 'Send it.'],
        ['major', '`OrderStatus.RETURNED` is new.', 'Expect values that you do not know.'],
        ['major', '`listOrders` is called `listPurchases` now.', 'Call `listPurchases`.'],
        ['minor', '`getRatingSummary` takes parameters now.', undefined],
        ['patch', '`replaceProduct` is deprecated.', undefined],
        ['patch', '`replaceProduct` is served until 2030-01-01.', undefined],
      ]),
    );
    expect(texts.filter(([, text]) => text?.startsWith('`OrderStatus'))).toHaveLength(1);
    const sent = texts.filter(([, text]) => / must be sent now/.test(String(text))).map(([, text]) => text);
    expect(sent).toContain('`Dimensions.unit` must be sent now.');
    // It is read only.
    expect(sent).not.toContain('`Dimensions.volume` must be sent now.');
  });

  test('has a sentence for each kind of change over REST', async () => {
    expect(told(...(await rest)).map(({ text }) => text)).toEqual(
      expect.arrayContaining([
        '`Order.note` is gone.',
        '`Review.title` can be null now.',
        '`Rating` is `number` now, `integer` before.',
        '`maxLength` of `OrderNote` is gone; it was `1000`.',
        '`maximum` of `OrderNote` is `9` now.',
        '`maxLength` of `ReviewTitle` is `60` now, `120` before.',
        '`maximum` of `limit` is `50` now, `100` before.',
        '`maxLength` of `Id` is `36` now; the server has always acted so.',
        'The default of `limit` is `10` now, `20` before.',
        '`listProducts.status` must be sent now.',
        '`listProducts.sort` can no longer be `name`, `-name`.',
        '`createOrder` needs a token with `other:scope` now, with `orders:write` before.',
        '`createOrder` no longer takes a token with `orders:admin`.',
        '`getProduct` needs a token with `products:read` now.',
        '`application/json` of `updateOrder.body` is gone.',
        '`updateProduct.412` is no longer declared.',
        '`ETag` may be absent now.',
      ]),
    );
  });

  test('has a sentence for each kind of change over GraphQL', async () => {
    expect(told(...(await graphql)).map(({ text }) => text)).toEqual(
      expect.arrayContaining([
        '`Product.stock` is gone.',
        '`Mutation.createOrder` is gone.',
        '`Query.products.sort` is gone.',
        '`OrderStatus.CANCELLED` is gone.',
        '`Delivery.DigitalDelivery` is gone.',
        '`Query.products.first` must be sent now.',
        '`Mutation.createUser.reason` must be sent now.',
        '`ProductInput.grade` must be sent now.',
        '`OrderInput.note` must be sent now.',
        '`Mutation.deleteUser.id` may be left out now.',
        '`User.email` can be null now.',
        '`OrderItemInput.quantity` is `String!` now, `Int!` before.',
        '`Product.tags` is `String!` now, `[String!]!` before.',
        '`Product.tags` is deprecated.',
        '`Product.nickname` is new.',
        '`Forecast` is new.',
        'The limit `depth` is 5, no longer 10.',
        '`Query.product` has `@cost(weight: "20")` now, no `@cost` before.',
        '`Query.user` has no `@auth` now, `@auth(scopes: ["users:admin"]) @auth(scopes: ["users:read"])` before.',
      ]),
    );
  });

  test('has a sentence for what the contract says of both, marked as of none alone, and for versions', async () => {
    const hidden = change({ rule: 'reference-hidden-refused', subject: 'Order.couponId' });
    const changes = told(...(await rest), ...versions, hidden);
    expect(changes.map(({ text }) => text)).not.toContainEqual(expect.stringContaining('`x-'));
    expect(changes.filter(({ protocols }) => protocols.size === 0).map(({ text }) => text)).toEqual(
      expect.arrayContaining([
        '`Product` must now be unique by name.',
        '`Product.currency` can only be set on creation.',
        '`Order.status` can no longer change from PENDING to CANCELLED.',
        'When the target of User.favouriteProductId is deleted, the rule is restrict, no longer set-null.',
        'The default order of Order is by total, no longer by -createdAt.',
        'The error OUT_OF_STOCK was removed.',
        '`Order.couponId` can no longer refer to what its caller may not see.',
        'The API is served at `/v1`, and nothing at `/v0` any more.',
        'The version `old` is no longer served, before its sunset on 2027-01-01.',
      ]),
    );
  });

  test('does not go by messages, and says something of each change that is more than words', async () => {
    const changes = [...(await rest), ...(await graphql), ...versions];
    const recorded = (each: readonly Change[]): readonly Recorded[] =>
      JSON.parse(JSON.stringify(each.map((one) => ({ ...one, message: '…' }))));
    expect(told(...recorded(changes))).toEqual(told(...changes));
    expect(told(...changes).filter(({ text }) => / has changed\b|undefined|null,|…/.test(text))).toEqual([]);
    const isUnsaid = (one: Change) =>
      told(one).length === 0 && one.impact !== 'patch' && one.area !== 'storage' && !/\.40[13]$/.test(one.subject);
    expect(changes.filter(isUnsaid)).toEqual([]);
  });

  test.each([
    ['a new argument that is required', '`Query.product.locale` must be sent now.', 'Send it.'],
    [
      'another default of first',
      'The default of `Query.products.first` is `50` now, `20` before.',
      'Send the value that you mean.',
    ],
    ['a delivery is gone', '`Delivery.DigitalDelivery` is gone.', 'Stop using it before you change over.'],
    [
      'one product needs a token',
      '`Query.product` has `@auth(scopes: ["products:read"])` now, no `@auth` before.',
      'Ask for a token with the scopes that the field names.',
    ],
  ])('says of GraphQL: %s', async (name, text, advice) => {
    expect(told(...(await sdl(name)))).toContainEqual(expect.objectContaining({ text, advice }));
  });
});
