import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ServerProcess, startServer } from '../../../scripts/bench/server-process.ts';
import { SECRET, tokenOf } from '../../support/instance.ts';
import { admin, type Caller, customer } from '../../support/storefront.ts';
import { type Distance, distanceOf, type Way } from './way.ts';

const folder = join(tmpdir(), `lockstep-distance-${process.pid}`);

const ENVIRONMENT = {
  NODE_ENV: 'production',
  JWT_SECRET: SECRET,
  LOG_LEVEL: 'fatal',
  MIGRATE_AT_BOOT: 'true',
  DATA_DIR: folder,
};

/** A token that is not known costs more. */
const TOKENS = new Map([admin, customer].map((caller) => [caller, tokenOf(caller)]));

/** No request goes further than it went: what needs more has its walls in the wrong place. To be lowered where it can be. */
const DISTANCES: Readonly<Record<string, Distance>> = {
  'GET by id, public': { files: 30, lines: 3_060, rooms: 22 },
  'GET by id with a token, of a resource with an owner': { files: 34, lines: 3_380, rooms: 25 },
  'a filtered list that is not kept': { files: 50, lines: 4_610, rooms: 27 },
  'a create': { files: 52, lines: 4_745, rooms: 37 },
  'a GraphQL list that is not kept': { files: 54, lines: 4_870, rooms: 38 },
  'a GraphQL update with an override': { files: 57, lines: 5_130, rooms: 43 },
};

/** Calls of functions by a list in a shape that no other had. */
const CALLS: Readonly<Record<string, number>> = {
  'a list with a limit that no list had': 288,
  'a list in an order that no list had': 605,
};

const AT_ONCE = ['GET by id, public', 'a filtered list that is not kept'];

// biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
type Json = any;

describe('how far a request goes', () => {
  let server: ServerProcess;
  let requests: Readonly<Record<string, () => Promise<Response>>>;

  const ask = (method: string, path: string, as?: Caller, body?: object): Promise<Response> =>
    fetch(`http://127.0.0.1:${server.port}${path}`, {
      method,
      headers: {
        ...(as && { authorization: `Bearer ${TOKENS.get(as)}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  const made = async (path: string, as: Caller, body: object): Promise<Json> => {
    const response = await ask('POST', `/v1${path}`, as, body);
    expect(response.status).toBe(201);
    return response.json();
  };

  beforeAll(async () => {
    const trace = new URL('trace.ts', import.meta.url).href;
    const nodeFlags = ['--import', trace];
    server = await startServer({ name: 'storefront', entry: 'src/main.ts', environment: ENVIRONMENT, nodeFlags });
    let next = 0;
    const productInput = (price: number): object => ({
      sku: `MUG-${++next}`,
      name: 'Mug',
      price,
      currency: 'EUR',
      delivery: { kind: 'PHYSICAL', weightGrams: 410 },
    });
    const product = await made('/products', admin, productInput(1));
    await made('/users', customer, { email: 'ada@example.com', name: 'Ada' });
    const order = await made('/orders', customer, {});
    const list =
      'query ($lte: Int) { products(filter: { currency: ["EUR"], price: { lte: $lte } }) { edges { node { id name } } } }';
    const update = 'mutation ($id: ID!, $input: OrderPatch!) { updateOrder(id: $id, input: $input) { id status } }';
    const orders = ['price,name', '-price,name', 'name,-price', 'stock,name', '-stock,name'];
    requests = {
      'GET by id, public': () => ask('GET', `/v1/products/${product.id}`),
      'GET by id with a token, of a resource with an owner': () => ask('GET', `/v1/orders/${order.id}`, customer),
      'a filtered list that is not kept': () => ask('GET', `/v1/products?currency=EUR&price[lte]=${++next}`),
      'a create': () => ask('POST', '/v1/products', admin, productInput(1_000)),
      'a GraphQL list that is not kept': () =>
        ask('POST', '/graphql', undefined, { query: list, variables: { lte: ++next } }),
      'a GraphQL update with an override': () => {
        const variables = { id: order.id, input: { note: `Note ${++next}` } };
        return ask('POST', '/graphql', customer, { query: update, variables });
      },
      'a list with a limit that no list had': () =>
        ask('GET', `/v1/products?currency=EUR&price[lte]=1&limit=${50 + ++next}`),
      'a list in an order that no list had': () =>
        ask('GET', `/v1/products?currency=EUR&price[lte]=1&sort=${orders.shift()}`),
    };
  });
  afterAll(async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** The shortest of five ways: the first compiles what the others find, and a timer may come between. */
  const wayOf = async (name: string): Promise<Way> => {
    const ways: Way[] = [];
    for (let i = 0; i < 5; i++) {
      await server.ask('way');
      const response = await requests[name]!();
      expect([response.ok, await response.text()]).toEqual([true, expect.not.stringContaining('"errors"')]);
      ways.push((await server.ask('way')) as Way);
    }
    return ways.reduce((least, one) => (one.entries.length < least.entries.length ? one : least));
  };

  it.each(Object.entries(DISTANCES))('%s', async (name, goal) => {
    const { entries } = await wayOf(name);
    const distance = await distanceOf(entries);
    console.log(`${name}: ${distance.files} files · ${distance.lines} lines · ${distance.rooms} changes of room`);
    for (const part of ['files', 'lines', 'rooms'] as const)
      expect(distance[part], `${part}: ${[...new Set(entries)].join(' ')}`).toBeLessThanOrEqual(goal[part]);
  });

  it.each(Object.entries(CALLS))('%s', async (name, goal) => {
    const { entries } = await wayOf(name);
    console.log(`${name}: ${entries.length} calls`);
    expect(entries.length, entries.join(' ')).toBeLessThanOrEqual(goal);
  });

  it.each(AT_ONCE)('%s, makes no promise', async (name) => {
    expect((await wayOf(name)).promises).toBe(0);
  });

  it('counts the promises of a create', async () => {
    expect((await wayOf('a create')).promises).toBeGreaterThan(0);
  });
});
