import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { Lane } from '../../../src/runtime/storage/lane.ts';
import { TableSizes as PostgresSizes } from '../../../src/runtime/storage/postgres/table-sizes.ts';
import { TableSizes as SqliteSizes } from '../../../src/runtime/storage/sqlite/table-sizes.ts';
import { databases } from '../../support/databases.ts';
import { admin, Shop } from '../../support/storefront.ts';

const lane = vi.spyOn(Lane.prototype, 'run');
const sizes = [SqliteSizes, PostgresSizes].map((one) => vi.spyOn(one.prototype, 'isSmall').mockReturnValue(false));
afterAll(() => {
  for (const one of [lane, ...sizes]) one.mockRestore();
});

const ANYONE = 'address 127.0.0.1';
const SUBJECT = `subject ${admin.subject}`;
const DEAR = '{ products(filter: { name: { contains: "ug" } }) { nodes { id } } }';

describe.each(databases)('expensive reads on $name', (database) => {
  let shop: Shop;

  beforeAll(async () => {
    shop = await Shop.open(database, { listCacheBytes: 0 });
    await shop.product({ name: 'Mug' });
  });
  beforeEach(() => void lane.mockClear());
  afterAll(() => shop.close());

  const callers = () => [...new Set(lane.mock.calls.map(([{ caller }]) => caller))];

  it('wait in turn by the address of an anonymous caller', async () => {
    expect((await shop.get('/products?name[contains]=ug')).body.data).toHaveLength(1);
    expect(callers()).toEqual([ANYONE]);
    await shop.graphql(DEAR);
    expect([lane.mock.calls.length, callers()]).toEqual([2, [ANYONE]]);
  });

  it('wait in turn by the subject of another', async () => {
    expect((await shop.get('/users?name[contains]=ug', admin)).status).toBe(200);
    expect(callers()).toEqual([SUBJECT]);
    await shop.graphql('{ users(filter: { name: { contains: "ug" } }) { nodes { id } } }', {}, admin);
    expect([lane.mock.calls.length, callers()]).toEqual([2, [SUBJECT]]);
  });

  it('wait in turn by the address of a socket', async () => {
    const url = `ws://127.0.0.1:${await shop.listen()}/graphql`;
    const client = createClient({ url, webSocketImpl: WebSocket });
    await client.iterate({ query: DEAR }).next();
    await client.dispose();
    expect(callers()).toEqual([ANYONE]);
  });
});
