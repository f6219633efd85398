import { once } from 'node:events';
import { request } from 'node:http';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { callerKey } from '../../../src/runtime/async/caller-key.ts';
import { Pressure } from '../../../src/runtime/http/pressure.ts';
import { databases } from '../../support/databases.ts';
import { tokenOf } from '../../support/service.ts';
import { admin, type Caller, customer, Shop } from '../../support/storefront.ts';

const [sqlite] = databases as [(typeof databases)[number]];

let shop: Shop;

beforeEach(async () => {
  shop = await Shop.open(sqlite);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await shop.close();
});

/** Sends a body whose end comes later than its head; resolves with the status of the answer. */
async function sendSlowly(path: string, body: object, { subject, scope }: Caller): Promise<number | undefined> {
  const headers = { authorization: `Bearer ${tokenOf({ sub: subject, scope })}`, 'content-type': 'application/json' };
  const sent = request({ port: await shop.listen(), path, method: 'POST', headers });
  const [first, rest] = [JSON.stringify(body).slice(0, 1), JSON.stringify(body).slice(1)];
  sent.write(first);
  await new Promise((done) => setImmediate(done));
  sent.end(rest);
  const [response] = await once(sent, 'response');
  response.resume();
  return response.statusCode;
}

it.each([
  ['REST', '/v1/products', { name: 'Mug' }, admin, 400],
  ['GraphQL', '/graphql', { query: '{ __typename }' }, customer, 200],
] as const)(
  'a body over %s has a turn of its caller, and not of its address',
  async (_, path, body, caller, status) => {
    const turnOf = vi.spyOn(Pressure.prototype, 'turnOf');
    expect(await sendSlowly(path, body, caller)).toBe(status);
    const turns = turnOf.mock.calls.map(([waiting]) => waiting.turn);
    expect(turns).toContain(callerKey({ subject: caller.subject, address: '127.0.0.1' }));
  },
);
