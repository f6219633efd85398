import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CompiledContract } from '../../src/descriptor/compiled-contract.ts';
import { serve, type TestCaller } from '../../src/testing.ts';
import { typeErrorsIn } from '../support/type-check.ts';
import { NORTH, SOUTH } from '../support/workshop.ts';
import { type Block, blocksOf, readBlocks } from './support/blocks.ts';
import { isOfLibrary, libraryOf } from './support/library.ts';
import { generate, serveContract, tokenOf, writeSource } from './support/project.ts';

const run = promisify(execFile);
const isTried = ({ markers }: Block): boolean => markers['not run'] === undefined && markers['tested in'] === undefined;
const ofLibrary = readBlocks().filter((block) => isOfLibrary(block) && isTried(block));
const code = [...blocksOf('docs/handlers.md'), ...blocksOf('docs/files.md')].filter(({ words }) =>
  words[0]?.endsWith('.ts'),
);

let folder = '';
let project = '';
let model: CompiledContract;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lockstep-handlers-'));
  project = join(folder, 'library');
  process.env['COVERS'] = join(folder, 'covers');
  await mkdir(project);
  await writeFile(join(project, 'package.json'), '{ "type": "module" }\n');
  for (const [name, text] of Object.entries(libraryOf(ofLibrary))) await writeFile(join(project, name), text);
  ({ model } = (await generate(project, join(project, 'generated'))) as { readonly model: CompiledContract });
  for (const file of code) await writeSource(project, file);
});
afterAll(async () => {
  delete process.env['COVERS'];
  await rm(folder, { recursive: true });
});

const WHALES = { isbn: '9780000000001', title: ' White Whales ', pages: 420 };
const readerId = (n: number): string => `0199bd2f-7c00-7000-8000-00000000000${n}`;
const START = '2026-01-01T00:00:00Z';

/** The library with a book and its copies; `routes` replace those of the contract. */
async function open(copies: number, routes: object = {}) {
  const { handlers } = await import(pathToFileURL(join(project, 'src/handlers/index.ts')).href);
  const served = { ...handlers, routes: { ...handlers.routes, ...routes } };
  const service = await serve({ contract: model, handlers: served, now: START });
  const staff = service.as({ sub: 'staff', scope: 'books:write' });
  const book = await staff.post<{ readonly id: string; readonly title: string }>('/books', WHALES);
  const path = `/books/${book.body.id}`;
  for (let n = 1; n <= copies; n++) await staff.post(`${path}/copies`, { label: `${n}` });
  const reader = (n: number): TestCaller => service.as({ sub: readerId(n) });
  return { service, staff, reader, path, book: book.body, [Symbol.asyncDispose]: () => service.close() };
}

describe('the handlers of docs/handlers.md', () => {
  it('pass the test that the page shows', async () => {
    const { stdout } = await run(process.execPath, ['--test', 'test/library.test.ts'], { cwd: project });
    expect(stdout).toMatch(/pass 1\b/);
    expect(stdout).toMatch(/fail 0\b/);
  });

  it('override actions: trim a title, remove copies after an update, and remove the loans of a deleted book', async () => {
    await using library = await open(2);
    const { staff, reader, path, book } = library;
    expect(book.title).toBe('White Whales');
    const loan = await reader(1).post<{ readonly id: string }>(`${path}/lend`, undefined);
    expect(await staff.delete(path)).toMatchObject({ status: 409, body: { code: 'BOOK_ON_LOAN' } });
    await reader(1).patch(`/loans/${loan.body.id}`, { status: 'RETURNED' });
    expect(await staff.patch(path, { genre: 'POETRY' })).toMatchObject({ status: 200 });
    expect(await staff.get(`${path}/copies`)).toMatchObject({ body: { data: [] } });
    expect(library.service.log.some(({ message }) => message === 'poetry is lent without copies')).toBe(true);
    expect(await staff.delete(path)).toMatchObject({ status: 204 });
    expect(await reader(1).get(`/loans/${loan.body.id}`)).toMatchObject({ status: 404 });
  });

  it('answer operations over both protocols, with the status that they choose', async () => {
    await using library = await open(1);
    const { reader, path, book } = library;
    expect(await reader(1).post(`${path}/lend`, undefined)).toMatchObject({ status: 201, body: { status: 'OPEN' } });
    expect(await reader(1).post(`${path}/lend`, undefined)).toMatchObject({ status: 200, body: { status: 'OPEN' } });
    expect(await reader(2).post(`${path}/lend`, undefined)).toMatchObject({
      status: 409,
      body: { code: 'BOOK_ON_LOAN' },
    });
    const lend = 'mutation ($id: ID!) { lendBook(id: $id) { readerId } }';
    expect(await reader(1).graphql(lend, { id: book.id })).toMatchObject({
      data: { lendBook: { readerId: readerId(1) } },
    });
    expect((await reader(2).graphql(lend, { id: book.id })).errors).toMatchObject([
      { extensions: { code: 'BOOK_ON_LOAN' } },
    ]);
    expect(await reader(1).get(`${path}/availability`)).toMatchObject({ status: 200, body: 0 });
    expect(await reader(1).get(`/books/${readerId(9)}/availability`)).toMatchObject({ status: 404 });
  });

  it('replace a route, in a transaction of its own', async () => {
    const { deleteLoan } = await import(pathToFileURL(join(project, 'src/handlers/delete-loan.ts')).href);
    await using library = await open(1, { deleteLoan });
    const { reader, path, service } = library;
    const admin = service.as({ sub: readerId(8), scope: 'loans:admin' });
    const loan = await reader(1).post<{ readonly id: string }>(`${path}/lend`, undefined);
    expect(await admin.delete(`/loans/${loan.body.id}`)).toMatchObject({ status: 204 });
    expect(await reader(1).get(`/loans/${loan.body.id}`)).toMatchObject({ status: 200, body: { status: 'LOST' } });
  });

  it('compute fields for all parents at once', async () => {
    await using library = await open(2);
    const { staff, reader, path } = library;
    await staff.post('/books', { ...WHALES, isbn: '9780000000002', title: 'Unread' });
    await reader(1).post(`${path}/lend`, undefined);
    const document = `{
      bestsellers { title availability lendings(since: "${START}") }
      books(first: 2) { nodes { title availability lendings(since: "${START}") } }
    }`;
    const whales = { title: 'White Whales', availability: 1, lendings: 1 };
    expect((await reader(2).graphql(document, {})).data).toEqual({
      bestsellers: [whales],
      books: { nodes: expect.arrayContaining([whales, { title: 'Unread', availability: 0, lendings: 0 }]) },
    });
  });
});

describe('the upload of docs/files.md', () => {
  it('is kept, and downloaded again', async () => {
    const address = await serveContract(project, model, 'src/handlers/index.ts');
    const token = tokenOf('ada', 'books:write');
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const made = await fetch(`${address}/v1/books`, { method: 'POST', headers, body: JSON.stringify(WHALES) });
    const { id } = (await made.json()) as { readonly id: string };
    const [, picture] = [await writeFile(join(folder, 'cover.png'), 'a picture'), join(folder, 'cover.png')];
    const { text } = blocksOf('docs/files.md').find(({ language }) => language === 'sh')!;
    const [, upload, download] = text.trimEnd().split('\n');
    const given = `WRITER=${token}\nBOOK=${id}\n`;
    const call = (line: string) =>
      run('sh', ['-c', `${given}${line.replace('http://127.0.0.1:3000', address)} --fail -s`], { cwd: folder });
    await call(upload!);
    await rm(picture);
    await call(download!);
    expect(await readFile(picture, 'utf8')).toBe('a picture');
  });
});

describe('the code within a tenant of docs/handlers.md', () => {
  const machine = (code: string) => ({ code, name: `${code} lathe`, state: 'IDLE' });

  it('finds rows of other tenants, and its types hold', async () => {
    const tenants = join(folder, 'tenants');
    const { model: workshop } = await generate('test/fixtures/workshop', join(tenants, 'generated'));
    await writeFile(join(tenants, 'package.json'), '{ "type": "module" }\n');
    const block = code.find(({ words }) => words[0] === 'machines.ts')!;
    const path = await writeSource(tenants, { ...block, words: ['src/handlers/machines.ts'] });
    expect((await typeErrorsIn(tenants, [path])).get(path)).toEqual([]);
    const { machines, machinesOf } = await import(pathToFileURL(join(tenants, path)).href);
    let inSouth: number | undefined;
    const list = async (query: unknown, context: unknown, next: (query: unknown) => unknown) => {
      inSouth = await machinesOf(context, SOUTH);
      return next(query);
    };
    const handlers = { overrides: { machines: { ...machines, list } } };
    await using service = await serve({ contract: workshop!, handlers, allowMissing: true });
    const [north, south] = [NORTH, SOUTH].map((tenant) => service.as({ sub: 'someone', app: { tenant } }));
    expect(await north!.post('/machines', machine('A'))).toMatchObject({ status: 201 });
    expect(await south!.post('/machines', machine('A'))).toMatchObject({
      status: 409,
      body: { code: 'ALREADY_EXISTS' },
    });
    expect(await south!.post('/machines', machine('B'))).toMatchObject({ status: 201 });
    expect((await north!.get('/machines')).status).toBe(200);
    expect(inSouth).toBe(1);
  });
});
