import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endedByTests } from '../support/clean-up.ts';
import { Instance, tokenOf } from '../support/instance.ts';
import { admin, customer } from '../support/storefront.ts';

const PRELOAD = pathToFileURL(join(import.meta.dirname, 'processes/count-loads.ts')).href;

/** A server whose modules, and functions that it makes of texts, are counted. */
async function counted(environment: Record<string, string> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'lockstep-'));
  endedByTests(() => rm(folder, { recursive: true }));
  const file = join(folder, 'loads');
  const instance = await Instance.start({
    DATABASE_URL: `sqlite:${join(folder, 'rows.db')}`,
    NODE_OPTIONS: `--import=${PRELOAD}`,
    LOADS_FILE: file,
    CHECK_RESPONSES: 'false',
    ...environment,
  });
  const lines = async () => (await readFile(file, 'utf8')).split('\n');
  return { instance, lines };
}

const packagesIn = (lines: readonly string[]): ReadonlySet<string> =>
  new Set(lines.flatMap((line) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(line)?.[1] ?? []));

/** What a server with the least settings does not load, and the setting that it is for. */
const UNUSED = {
  pg: 'DATABASE_URL',
  ioredis: 'REDIS_URL',
  'prom-client': 'METRICS_PORT',
  '@opentelemetry/api': 'OTEL_EXPORTER_OTLP_ENDPOINT',
  '@opentelemetry/exporter-trace-otlp-proto': 'OTEL_EXPORTER_OTLP_ENDPOINT',
  '@graphql-yoga/render-graphiql': 'GRAPHIQL',
  'graphql-scalars': 'a scalar of the contract',
  '@seriousme/openapi-schema-validator': 'commands',
  yaml: 'commands',
  '@fastify/static': 'the routes of Mercurius',
};

describe('a start in production', () => {
  let server: Awaited<ReturnType<typeof counted>>;
  let atStart: readonly string[];

  beforeAll(async () => {
    server = await counted();
    atStart = await server.lines();
  });
  afterAll(() => server.instance.end('SIGTERM'));

  it.each(Object.entries(UNUSED))('does not load %s, which is for %s', (name) => {
    expect(packagesIn(atStart)).not.toContain(name);
  });

  it('loads a stemmer for the languages of its searches alone', () => {
    const stemmers = atStart.flatMap((line) => /@orama\/stemmers\/dist\/.*?([a-z]+)\.js/.exec(line)?.[1] ?? []);
    expect(new Set(stemmers).size).toBeLessThanOrEqual(1);
  });

  it('leaves nothing to load or to compile for requests', async () => {
    const send = async (method: string, path: string, body?: object, as = admin): Promise<number> => {
      const headers = { authorization: `Bearer ${tokenOf(as)}`, 'content-type': 'application/json' };
      const answer = await fetch(server.instance.origin + path, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      });
      await answer.text();
      return answer.status;
    };
    const statuses = [
      await send('GET', '/v1/products?limit=2&sort=-price'),
      await send('GET', '/v1/products?limit=none'),
      await send('GET', `/v1/products/${crypto.randomUUID()}`),
      await send('POST', '/v1/users', { email: 'ada@example.com', name: 'Ada' }),
      await send('POST', '/v1/users', { email: 1 }),
      await send('POST', '/v1/products', { name: 1, price: { amount: 'much' } }),
      await send('PATCH', `/v1/products/${crypto.randomUUID()}`, { stock: -1 }),
      await send('POST', '/v1/users', { email: 'bob@example.com', name: 'Bob' }, customer),
      await send('POST', '/v1/orders', {}, customer),
      await send('GET', '/v1/orders', undefined, customer),
      await send('GET', '/nowhere'),
      await send('POST', '/graphql', { query: '{ products(first: 1) { nodes { id name } } }' }),
      await send('POST', '/graphql', { query: '{ nowhere }' }),
    ];
    expect(statuses).toEqual([200, 400, 404, 201, 400, 400, 400, 201, 201, 200, 404, 200, 200]);
    expect((await server.lines()).slice(atStart.length - 1)).toEqual(['']);
  });
});
