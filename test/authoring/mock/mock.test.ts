import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mockSample } from '../../../src/authoring/mock/mock-sample.ts';
import type { CompiledContract } from '../../../src/descriptor/compiled-contract.ts';
import { createSchemaRegistry } from '../../../src/runtime/schema/create-schema-registry.ts';
import { freePort } from '../../../src/tools/free-port.ts';
import { contractFor } from '../../../src/tools/served-contract.ts';
import { Command, runHere } from '../../support/command.ts';
import { withFolder } from '../../support/folder.ts';

const contract = (folder: string | undefined): Promise<CompiledContract> =>
  contractFor({ contracts: folder, handlers: undefined, sample: undefined });
const rowsOf = (from: CompiledContract, seed = 1) => [...mockSample({ contract: from, seed, rows: 20 }).sample()];

describe.each([
  ['the storefront', undefined],
  ['the library', 'test/fixtures/library'],
  ['the cats', 'test/fixtures/cats'],
])('data made from %s', (_, folder) => {
  let compiled: CompiledContract;
  beforeAll(async () => {
    compiled = await contract(folder);
  });

  test('is what the schemas describe, in every resource', () => {
    const schemas = createSchemaRegistry(compiled.document);
    const rows = rowsOf(compiled);
    for (const { key, schemas: names } of compiled.resources) {
      const own = rows.filter(({ resource }) => resource === key);
      expect(own.length, key).toBeGreaterThan(0);
      const check = schemas.output({ $ref: `#/components/schemas/${names.resource}` });
      for (const { values } of own) expect(check(structuredClone(values)), JSON.stringify(values)).toBeUndefined();
    }
  });

  test('refers to what is there, and is unique where it must be', () => {
    const rows = rowsOf(compiled);
    const ids = new Map(rows.map(({ resource, values }) => [`${resource} ${values['id']}`, true]));
    for (const { key, properties, unique } of compiled.resources) {
      const own = rows.filter(({ resource }) => resource === key).map(({ values }) => values);
      for (const { name, references } of properties)
        for (const row of own)
          if (references && row[name] != null) expect(ids.has(`${references.resource} ${row[name]}`)).toBe(true);
      for (const names of unique) {
        const keys = own.map((row) => JSON.stringify(names.map((name) => row[name])));
        expect(new Set(keys).size).toBe(keys.length);
      }
    }
  });

  test('is the same for a seed, and another for another', () => {
    expect(rowsOf(compiled)).toEqual(rowsOf(compiled));
    expect(rowsOf(compiled, 2)).not.toEqual(rowsOf(compiled));
  });
});

describe('npm run mock', () => {
  let mock: Command;
  let url: string;
  let output: string;
  beforeAll(async () => {
    const port = await freePort();
    mock = new Command('scripts/mock.ts', ['--rows', '10', '--seed', '7'], { PORT: String(port), LOG_LEVEL: 'warn' });
    output = await mock.output(/Ctrl-C/);
    url = `http://127.0.0.1:${port}`;
  });
  afterAll(async () => void (await mock.stop()));

  const ask = (path: string, prefer?: string) =>
    fetch(`${url}${path}`, { headers: prefer === undefined ? {} : { prefer } });
  const graphql = async (query: string, token = '') => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: token }) };
    const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) });
    // biome-ignore lint/suspicious/noExplicitAny: whatever was asked for
    return (await response.json()) as { data: any; errors?: unknown };
  };

  test('serves its data over both protocols, by the rules of the contract', async () => {
    expect(output).toMatch(/Made \d+ rows from the contract \(seed 7\)\./);
    const { data } = (await (await ask('/v1/products?sort=name&limit=3')).json()) as { data: { name: string }[] };
    const nodes = await graphql('{ products(first: 3, sort: NAME_ASC) { nodes { name } } }');
    expect(nodes.data['products']).toEqual({ nodes: data.map(({ name }) => ({ name })) });
    expect(data).toHaveLength(3);
    expect((await ask('/v1/orders')).status).toBe(401);
    expect((await ask('/v1/products?colour=red')).status).toBe(400);
  });

  test('lets the callers in whose tokens it prints', async () => {
    const tokens = [...output.matchAll(/^ {2}[A-Z]+=(\S+)$/gm)].map(([, token]) => `Bearer ${token}`);
    expect(tokens).toHaveLength(2);
    const [customer, admin] = await Promise.all(
      tokens.map((token) => graphql('{ orders(first: 100) { totalCount nodes { user { id } } } }', token)),
    );
    expect(admin!.errors).toBeUndefined();
    expect(admin!.data['orders']['totalCount']).toBe(10);
    expect(Number(customer!.data['orders']['totalCount'])).toBeLessThan(10);
  });

  test('answers custom operations and fields as their schemas describe', async () => {
    const { data } = (await (await ask('/v1/products?limit=1')).json()) as { data: { id: string }[] };
    const summary = await (await ask(`/v1/products/${data[0]!.id}/rating-summary`)).json();
    expect(summary).toMatchObject({ productId: data[0]!.id, count: expect.any(Number) });
    const custom = await graphql('{ products(first: 2) { nodes { ratingSummary { count average distribution } } } }');
    expect(custom.errors).toBeUndefined();
    expect(custom.data['products']['nodes']).toHaveLength(2);
  });

  test.each([
    ['code=406', 406, 'NOT_ACCEPTABLE'],
    ['code=INVALID_CURSOR', 400, 'INVALID_CURSOR'],
    ['respond-async, Code="SERVICE_UNAVAILABLE"', 503, 'SERVICE_UNAVAILABLE'],
  ])('answers a declared error on request: Prefer: %s', async (prefer, status, code) => {
    const response = await ask('/v1/products', prefer);
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toContain('application/problem+json');
    expect(response.headers.get('preference-applied')).toMatch(/^code=/);
    expect(await response.json()).toMatchObject({ code, status });
  });

  test('refuses an error that is not declared, and names those that are', async () => {
    const response = await ask('/v1/products', 'code=OUT_OF_STOCK');
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      detail: expect.stringMatching(/^listProducts does not declare OUT_OF_STOCK; it declares .*INVALID_CURSOR/),
      errors: [{ header: 'Prefer' }],
    });
  });

  test('a success is what it answers anyway', async () => {
    expect((await ask('/v1/products', 'code=200')).status).toBe(200);
  });

  test('waits as long as it is asked to', async () => {
    const begun = performance.now();
    const response = await ask('/v1/products', 'delay=200');
    expect(performance.now() - begun).toBeGreaterThanOrEqual(200);
    expect(response.headers.get('preference-applied')).toBe('delay=200');
    expect(response.status).toBe(200);
  });

  test('serves an ordinary document, too, to whoever brings any key, and leaves nothing behind', () =>
    withFolder({}, async (TMPDIR) => {
      const port = String(await freePort());
      const zoo = new Command('scripts/mock.ts', ['--contracts', 'test/fixtures/foreign/zoo'], { PORT: port, TMPDIR });
      await zoo.output(/Ctrl-C/);
      const base = `http://127.0.0.1:${port}/api/v3`;
      const animals = await (await fetch(`${base}/animal/findByKind`)).json();
      expect(animals).toBeInstanceOf(Array);
      const body = JSON.stringify({ name: 'Leo' });
      const headers = { 'content-type': 'application/json' };
      const post = (more: object) =>
        fetch(`${base}/animal`, { method: 'POST', body, headers: { ...headers, ...more } });
      expect((await post({})).status).toBe(401);
      expect((await post({ 'x-key': 'any' })).status).toBe(200);
      const own = () => readdirSync(TMPDIR).filter((name) => name.startsWith('lockstep-mock-'));
      expect(own()).toHaveLength(1);
      await zoo.stop();
      expect(own()).toEqual([]);
    }));

  test.each([
    [['--seed', 'x'], "'x' is invalid. It must be a whole number from 0 to 999999.", 2],
    [['--contracts', 'nowhere'], 'nowhere does not exist.', 1],
    [['--wat'], "unknown option '--wat'", 2],
  ])('refuses %j', async (args, message, exitCode) => {
    const { code, stderr } = await runHere('scripts/mock.ts', args);
    expect(stderr).toContain(message);
    expect(code).toBe(exitCode);
  });
});
