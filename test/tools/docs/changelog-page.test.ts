import { describe, expect, test } from 'vitest';
import type { Release } from '../../../src/compiler/gate/changes/releases.ts';
import { readerChanges } from '../../../src/tools/docs/pages/reader-changes.ts';
import { breakingSdlEdits } from '../../compiler/gate/support/breaking-edits.ts';
import { changesOfRest, changesOfSdl, type Draft } from '../../compiler/gate/support/edits.ts';

type Recorded = Release['changes'][number];

const change = (given: Partial<Recorded> & Pick<Recorded, 'rule' | 'message'>): Recorded => ({
  impact: 'major',
  area: 'rest',
  ...given,
});
const told = (...changes: readonly Recorded[]) =>
  readerChanges({ version: '1.1.0', apiVersion: 'v1', date: '2026-11-21', changes });

describe('the changelog for readers', () => {
  test('says once what both protocols say, under its type, with what to do', () => {
    const changes = told(
      change({
        rule: 'schema-type-changed',
        subject: 'Order.note',
        message: "Property `note` of `Order`: type of `note` widened from 'string' to 'string | null'.",
      }),
      change({
        area: 'graphql',
        rule: 'field-type-changed',
        subject: 'Order.note',
        message: "Field 'Order.note' changed type from 'String!' to 'String'.",
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

  test('has nothing of storage, of words, of what has no name, and no details of what is gone', () => {
    const changes = told(
      change({ area: 'storage', rule: 'storage-unused', subject: 'orders.note', message: 'Column orders.note …' }),
      change({
        impact: 'patch',
        rule: 'changed',
        subject: 'listOrders',
        message: '`summary` of operation `listOrders` changed from "A" to "B".',
      }),
      change({ impact: 'minor', rule: 'added', message: 'Schema was added.' }),
      change({
        rule: 'required-properties-removed',
        subject: 'Order.note',
        message: 'Properties of `Order` are no longer required: `note`.',
      }),
      change({ rule: 'property-removed', subject: 'Order.note', message: 'Property `note` of `Order` was removed.' }),
    );
    expect(changes.map(({ text }) => text)).toEqual(['`Order.note` is gone.']);
  });

  test('names what records without subjects are about', () => {
    const changes = told(
      change({ rule: 'property-removed', message: 'Property `title` of `Product` was removed.' }),
      change({
        area: 'graphql',
        rule: 'enum-value-removed',
        message: "Enum value 'TITLE_ASC' was removed from enum 'ProductSort'.",
      }),
      change({ rule: 'required-properties-added', message: 'Properties of `ProductInput` became required: `name`.' }),
    );
    expect(changes.map(({ owner, text }) => [owner, text])).toEqual([
      ['Product', '`Product.title` is gone.'],
      ['ProductSort', '`ProductSort.TITLE_ASC` is gone.'],
      ['ProductInput', '`ProductInput.name` must be sent now.'],
    ]);
  });

  test('has values before and after, versions, and why a break was waived', () => {
    const [bound, state, version] = told(
      change({
        rule: 'schema-constraint-changed',
        subject: 'OrderInput.note',
        message: "Property `note` of `OrderInput`: `maxLength` of `note` changed from '20' to '18'.",
        waived: 'Nobody sends more.',
      }),
      change({
        rule: 'transition-removed',
        subject: 'Order.status',
        message: 'Order.status can no longer change from PAID to PENDING.',
      }),
      change({
        impact: 'minor',
        area: 'versions',
        rule: 'sunset-changed',
        message: 'The sunset of `v0` is 2027-11-30, no longer open.',
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
    const found = await changesOfRest((document: Draft) => {
      const { schemas } = document.components;
      schemas.Product.required = schemas.Product.required.filter((name: string) => name !== 'name');
      schemas.ProductInput.required.push('description', 'imageUrl');
      schemas.OrderStatus.enum.push('RETURNED');
      schemas.OrderStatus['x-transitions'].DELIVERED = ['RETURNED'];
      document.paths['/orders'].get.operationId = 'listPurchases';
      const { get } = document.paths['/products/{productId}/rating-summary'];
      get.parameters = [{ name: 'since', in: 'query', schema: { type: 'string', format: 'date' } }];
      Object.assign(document.paths['/products/{productId}'].put, { deprecated: true, 'x-sunset': '2030-01-01' });
    });
    const alike = change({
      impact: 'minor',
      area: 'graphql',
      rule: 'enum-value-added',
      subject: 'OrderStatus.RETURNED',
      message: "Enum value 'RETURNED' was added to enum 'OrderStatus'.",
    });
    const texts = told(alike, ...found).map(({ impact, text, advice }) => [impact, text, advice]);
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
    const [, edit] = breakingSdlEdits.find(([one]) => one === name)!;
    expect(told(...(await changesOfSdl(edit)))).toContainEqual(expect.objectContaining({ text, advice }));
  });
});
