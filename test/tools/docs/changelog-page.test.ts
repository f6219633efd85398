import { describe, expect, test } from 'vitest';
import type { Release } from '../../../src/compiler/gate/changes/releases.ts';
import { readerChanges } from '../../../src/tools/docs/pages/reader-changes.ts';

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
});
