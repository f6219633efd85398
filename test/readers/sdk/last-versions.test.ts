import { describe, expect, it } from 'vitest';
import {
  document,
  productCreatedSubscription,
  productDeletedSubscription,
  productUpdatedSubscription,
  subscribe,
} from '../../../generated/sdk/graphql.js';
import { createClient } from '../../../generated/sdk/index.js';
import { all, scriptedSocket } from './support.ts';

type Told = { readonly id: string; readonly version: number; readonly createdAt?: string };

const row = (id: string, version: number, createdAt = '2026-01-01T00:00:00.000Z'): Told => ({ id, version, createdAt });

const clientOf = (events: Readonly<Record<string, readonly unknown[]>>) => {
  const payloads = Object.entries(events).map(([field, values]) => [
    field,
    values.map((value) => ({ data: { [field]: value } })),
  ]);
  return createClient({ baseUrl: 'http://127.0.0.1/v1', webSocket: scriptedSocket(Object.fromEntries(payloads)) });
};

/** What is left of events of `productUpdated`, as `id version`. */
async function left(events: readonly Told[]): Promise<readonly string[]> {
  const told = await all(subscribe(clientOf({ productUpdated: events }), productUpdatedSubscription));
  return told.map(({ productUpdated: { id, version } }) => `${id} ${version}`);
}

describe('of the events of a row, a subscription', () => {
  it('leaves out those that are older than one before them', async () => {
    const events = [row('a', 2), row('b', 1), row('a', 4), row('a', 3), row('b', 2), row('a', 4), row('a', 5)];
    expect(await left(events)).toEqual(['a 2', 'b 1', 'a 4', 'b 2', 'a 4', 'a 5']);
  });

  it('takes a row that was created again with the same id for another one', async () => {
    const again = '2026-01-02T00:00:00.000Z';
    expect(await left([row('a', 7), row('a', 2, again), row('a', 1, again)])).toEqual(['a 7', 'a 2']);
  });

  it('passes all on whose document does not ask for what tells versions of a row apart', async () => {
    const updated = document<{ productUpdated: object }>('subscription { productUpdated { id version } }');
    const client = clientOf({
      productUpdated: [
        { id: 'a', version: 2 },
        { id: 'a', version: 1 },
      ],
    });
    expect(await all(subscribe(client, updated))).toHaveLength(2);
  });

  it('passes on each deletion', async () => {
    const client = clientOf({ productDeleted: ['a', 'b', 'a'] });
    expect(await all(subscribe(client, productDeletedSubscription))).toHaveLength(3);
  });

  it('passes on each creation', async () => {
    const client = clientOf({ productCreated: [row('a', 1), row('b', 1), row('a', 1, '2026-01-02T00:00:00.000Z')] });
    expect(await all(subscribe(client, productCreatedSubscription))).toHaveLength(3);
  });

  it('remembers the latest 10,000 rows', async () => {
    const others = (count: number) => Array.from({ length: count }, (_, i) => row(`other ${i}`, 1));
    expect(await left([row('a', 2), ...others(9_999), row('a', 1)])).not.toContain('a 1');
    expect(await left([row('a', 2), ...others(10_000), row('a', 1)])).toContain('a 1');
  });
});
