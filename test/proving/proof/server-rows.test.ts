import { expect, it } from 'vitest';
import type { ProtocolServer } from '../../../src/proving/harness/servers.ts';
import { ServerRows } from '../../../src/proving/proof/server-rows.ts';
import type { Row } from '../../../src/runtime/storage/store.ts';
import { property, resource } from '../../support/descriptors.ts';

type Rows = Readonly<Record<string, readonly Row[]>>;

const orders = resource('orders', 'Order', [property('customer')]);
const recent = { ...resource('recent', 'Recent', [property('customer')]), actions: {} };
const row = (id: string, customer: string): Row => [id, 1, '', '', customer];

/** A server whose view `recent` shows these rows, with the keys of resources that are written. */
function serverOf(name: string, rows: Rows, written: string[] = []): ProtocolServer {
  const transaction = {
    insert: (key: string) => void written.push(`insert ${key}`),
    update: (key: string) => void written.push(`update ${key}`),
    delete: (key: string) => void written.push(`delete ${key}`),
  };
  const store = {
    writes: () => 0,
    list: ({ resource }: { readonly resource: string }) => rows[resource],
    jobs: { views: new Set(['recent']) },
    transaction: (work: (one: object) => unknown) => work(transaction),
  };
  return { name, store } as unknown as ProtocolServer;
}

const compared = (first: Rows, other: Rows, written: string[] = []) => {
  const servers = { first: serverOf('REST', first), others: [serverOf('GraphQL', other, written)] };
  return new ServerRows(servers as never, [orders, recent]).compare();
};

it('rows of a view that have one id are the same in any order', async () => {
  const [a, b, c] = [row('7', 'ALFKI'), row('7', 'BONAP'), row('8', 'ALFKI')];
  const of = (...shown: readonly Row[]) => ({ orders: [], recent: shown });
  expect((await compared(of(a, b, c), of(b, a, c))).difference).toBeUndefined();
  expect((await compared(of(a, b, c), of(b, b, c))).difference).toContain('the rows of recent differ');
  expect((await compared(of(a, b), of(a, b, b))).difference).toContain('the rows of recent differ');
});

it('rows are made the same again in tables alone, not through the views of them', async () => {
  const of = (customer: string) => ({ orders: [row('7', customer)], recent: [row('7', customer)] });
  const written: string[] = [];
  expect((await compared(of('ALFKI'), of('BONAP'), written)).difference).toContain('the rows of orders differ');
  expect(written).toEqual(['update orders']);
});
