import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient, products } from '../../../generated/sdk/index.js';
import type { CompiledContract } from '../../../src/descriptor/compiled-contract.ts';
import { compile, type ServeOptions, serve, type TestCaller } from '../../../src/testing.ts';
import { blockOf } from '../../support/documents.ts';

const root = join(import.meta.dirname, '../../..');
const CATS = 'test/fixtures/cats';

describe('a contract that is served for a test', () => {
  let contract: CompiledContract;
  beforeAll(async () => {
    contract = await compile(CATS);
  });

  const serveCats = (options: Partial<ServeOptions> = {}) => serve({ contract, ...options });
  const anna = { sub: 'anna', scope: 'cats:write' };
  const tom = { name: 'Tom', colour: 'BLACK', bornOn: '2020-01-01' };

  it('has a clock that stands still until the test moves it', async () => {
    await using service = await serveCats({ now: '2026-03-01T08:00:00Z' });
    const caller = service.as(anna);
    const { body } = await caller.post<{ id: string; createdAt: string }>('/cats', tom);
    expect(body.createdAt).toBe('2026-03-01T08:00:00.000Z');
    service.clock.advance(90_000);
    expect(await caller.patch(`/cats/${body.id}`, { name: 'Tim' })).toMatchObject({
      status: 200,
      body: { name: 'Tim', updatedAt: '2026-03-01T08:01:30.000Z' },
    });
    service.clock.set('2027-01-01T00:00:00Z');
    expect((await caller.delete(`/cats/${body.id}`)).status).toBe(204);
    expect(() => service.clock.set('noon')).toThrow('noon is not a time');
  });

  it('makes the same ids in each run, or those it is given', async () => {
    const idsOf = async (options: Partial<ServeOptions>): Promise<unknown[]> => {
      await using service = await serveCats(options);
      const caller = service.as(anna);
      const made = [await caller.post<{ id: string }>('/cats', tom), await caller.post<{ id: string }>('/cats', tom)];
      return made.map(({ body }) => body.id);
    };
    const first = await idsOf({});
    expect(first).toEqual(['019b76da-a800-7000-8000-000000000001', '019b76da-a800-7000-8000-000000000002']);
    expect(await idsOf({})).toEqual(first);
    const given = ['01941f29-7c00-7a10-8c57-00000000000b', '01941f29-7c00-7a10-8c57-00000000000a'];
    const left = [...given];
    expect(await idsOf({ ids: () => left.shift()! })).toEqual(given);
  });

  it('knows its callers by their claims, and refuses a token that has expired', async () => {
    await using service = await serve({ contracts: 'test/fixtures/library' });
    const ada = { name: 'Ada Lovelace', country: 'GB' };
    const post = async (caller: TestCaller): Promise<number> => (await caller.post('/authors', ada)).status;
    const librarian = { sub: 'librarian', scope: 'library:write' };
    expect(await post(service.anonymous)).toBe(401);
    expect(await post(service.as({ sub: 'librarian' }))).toBe(403);
    expect(await post(service.as({ ...librarian, exp: 1_000 }))).toBe(401);
    const caller = service.as(librarian);
    expect(await post(caller)).toBe(201);
    service.clock.advance(30 * 24 * 60 * 60 * 1000);
    expect(await post(caller)).toBe(201);
  });

  it('sends what is not an object as it is, and headers', async () => {
    await using service = await serveCats();
    const caller = service.as(anna);
    expect((await caller.post('/cats', '{"name": ')).body).toMatchObject({ code: 'MALFORMED_REQUEST' });
    const { body, headers } = await caller.put<{ id: string }>('/cats', tom, { headers: { accept: 'text/csv' } });
    expect(body).toMatchObject({ code: expect.any(String) });
    expect(headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect((await caller.at('').get('/livez')).status).toBe(200);
  });

  it('logs what a handler throws unexpectedly, and what it says itself', async () => {
    const handlers = {
      overrides: {
        cats: {
          list() {
            throw new TypeError('the mouse is gone');
          },
          async get(
            _id: string,
            { caller }: { caller: { log: { warn(fields: object, text: string): void } } },
            next: () => unknown,
          ) {
            caller.log.warn({ lives: 9 }, 'a cat was read');
            return next();
          },
        },
      },
    };
    await using service = await serveCats({ handlers });
    const { status, body } = await service.anonymous.get<{ requestId: string }>('/cats');
    expect({ status, body }).toMatchObject({ status: 500, body: { code: 'INTERNAL_ERROR' } });
    expect(JSON.stringify(body)).not.toContain('mouse');
    expect(service.log).toMatchObject([
      {
        level: 'error',
        time: '2026-01-01T00:00:00.000Z',
        err: { type: 'TypeError', message: 'the mouse is gone', stack: expect.stringContaining('serve.test.ts') },
        requestId: body.requestId,
      },
    ]);
    const made = await service.as(anna).post<{ id: string }>('/cats', tom);
    await service.anonymous.get(`/cats/${made.body.id}`);
    expect(service.log.at(-1)).toMatchObject({ level: 'warn', message: 'a cat was read', lives: 9 });
  });

  it('listens for what needs a socket', async () => {
    await using service = await serveCats();
    const url = await service.listen();
    expect((await fetch(`${url}/v1/cats`)).status).toBe(200);
  });

  it('leaves nothing behind, also when it does not start', async () => {
    const folders = async () =>
      (await readdir(tmpdir())).filter((name) => name.startsWith(`lockstep-test-${process.pid}-`));
    const service = await serveCats();
    expect(await folders()).toHaveLength(1);
    await service.close();
    await service.close();
    const handlers = { overrides: { dogs: {} } };
    await expect(serveCats({ handlers })).rejects.toThrow('Handlers do not fit the contract');
    expect(await folders()).toEqual([]);
  });

  it('says what is wrong with a contract, and where', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'wrong-'));
    await writeFile(join(folder, 'openapi.yaml'), 'openapi: 3.1.0\ninfo: { title: Wrong }\n');
    await expect(serve({ contracts: folder })).rejects.toThrow(/openapi\.yaml:\d+/);
    await expect(serve({ generated: folder })).rejects.toThrow(`There is no ${join(folder, 'openapi.json')}`);
    await rm(folder, { recursive: true });
  });

  it('serves what was generated, its old versions as well, to clients', async () => {
    await using service = await serve({ generated: 'generated', allowMissing: true, handlers: await ownSteps() });
    const staff = service.as({ sub: 'staff', scope: 'products:write' });
    const client = createClient({ baseUrl: 'http://test/v1', fetch: staff.fetch });
    const delivery = { kind: 'PHYSICAL', weightGrams: 410 } as const;
    const mug = { sku: 'MUG-1', name: 'Blue mug', price: 1999, currency: 'EUR', stock: 2, delivery };
    const { id } = await products.create(client, mug);
    expect(await staff.get(`/products/${id}`)).toMatchObject({ status: 200, body: { name: 'Blue mug' } });
    expect(await staff.at('/v0').get(`/products/${id}`)).toMatchObject({ status: 200, body: { title: 'Blue mug' } });
    await products.delete(client, id);
    expect((await staff.get(`/products/${id}`)).status).toBe(404);
  });
});

/** Only the steps between the versions. */
async function ownSteps(): Promise<object> {
  const { handlers } = await import('../../../src/handlers/index.ts');
  return { versions: handlers.versions };
}

describe('docs/testing.md', () => {
  const folder = join(root, 'test', `.docs-${process.pid}`);
  const file = `${folder}.test.ts`;
  afterAll(() => rm(file, { force: true }));

  it('has an example that passes', async () => {
    await writeFile(file, blockOf('testing.md', 'ts test').replace("'lockstep/testing'", "'../src/testing.ts'"));
    const { stdout } = await promisify(execFile)(process.execPath, ['--test', file], { cwd: root });
    expect(stdout).toMatch(/pass 1\b/);
    expect(stdout).toMatch(/fail 0\b/);
  });
});
