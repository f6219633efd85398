import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ServerProcess, startServer } from '../../../scripts/bench/server-process.ts';
import { SECRET, tokenOf } from '../../support/instance.ts';
import { admin, customer } from '../../support/storefront.ts';
import { type CalledFiles, type Distance, distanceOf } from './called-files.ts';

const folder = join(tmpdir(), `lockstep-distance-${process.pid}`);

const ENVIRONMENT = {
  NODE_ENV: 'production',
  JWT_SECRET: SECRET,
  LOG_LEVEL: 'fatal',
  MIGRATE_AT_BOOT: 'true',
  DATA_DIR: folder,
};

/** No request goes further than it went: what needs more has its walls in the wrong place. To be lowered where it can be. */
const GOALS: Readonly<Record<string, Distance>> = {
  'GET by id, public': { files: 30, lines: 3_080, moves: 19 },
  'GET by id with a token, of a resource with an owner': { files: 34, lines: 3_405, moves: 21 },
  'a GraphQL update with an override': { files: 55, lines: 4_980, moves: 26 },
};

// biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
type Json = any;

describe('how far a request goes', () => {
  let server: ServerProcess;
  let requests: Readonly<Record<string, () => Promise<Response>>>;

  const ask = (method: string, path: string, as?: typeof admin, body?: object): Promise<Response> =>
    fetch(`http://127.0.0.1:${server.port}${path}`, {
      method,
      headers: {
        ...(as && { authorization: `Bearer ${tokenOf(as)}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  const made = async (path: string, as: typeof admin, body: object): Promise<Json> => {
    const response = await ask('POST', `/v1${path}`, as, body);
    expect(response.status).toBe(201);
    return response.json();
  };

  beforeAll(async () => {
    const trace = new URL('trace.ts', import.meta.url).href;
    const nodeFlags = ['--import', trace];
    server = await startServer({ name: 'storefront', entry: 'src/main.ts', environment: ENVIRONMENT, nodeFlags });
    const delivery = { kind: 'PHYSICAL', weightGrams: 410 };
    const product = await made('/products', admin, { sku: 'MUG-1', name: 'Mug', price: 1, currency: 'EUR', delivery });
    await made('/users', customer, { email: 'ada@example.com', name: 'Ada' });
    const order = await made('/orders', customer, {});
    const text = 'mutation ($id: ID!, $input: OrderPatch!) { updateOrder(id: $id, input: $input) { id status } }';
    const notes = ['a', 'b', 'c', 'd', 'e'];
    requests = {
      'GET by id, public': () => ask('GET', `/v1/products/${product.id}`),
      'GET by id with a token, of a resource with an owner': () => ask('GET', `/v1/orders/${order.id}`, customer),
      'a GraphQL update with an override': () => {
        const variables = { id: order.id, input: { note: notes.shift() } };
        return ask('POST', '/graphql', customer, { query: text, variables });
      },
    };
  });
  afterAll(async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const calledBy = async (request: () => Promise<Response>): Promise<CalledFiles> => {
    await server.ask('called');
    const response = await request();
    const text = await response.text();
    expect([response.status, text]).toEqual([200, expect.not.stringContaining('"errors"')]);
    return (await server.ask('called')) as CalledFiles;
  };

  it.each(Object.entries(GOALS))('%s', async (name, goal) => {
    // The first compiles what the others find; a timer may come between.
    const all: CalledFiles[] = [];
    for (let i = 0; i < 5; i++) all.push(await calledBy(requests[name]!));
    const called = all.reduce((least, one) => (Object.keys(one).length < Object.keys(least).length ? one : least));
    const distance = await distanceOf(called);
    console.log(`${name}: ${distance.files} files · ${distance.lines} lines · ${distance.moves} moves`);
    for (const part of ['files', 'lines', 'moves'] as const)
      expect(distance[part], `${part}: ${Object.keys(called).join(' ')}`).toBeLessThanOrEqual(goal[part]);
  });
});
