import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Command, type Environment, type Finished } from '../support/command.ts';
import { type Edit, edited, installLockstep } from './support/project.ts';

/** Generous: a quiet machine takes a tenth. */
const MAX_TEST_MS = 600_000;

/** An hour of somebody who has Lockstep as a package and its documents, command by command; what each says is looked at. */
const WAIVERS = [/ {2}x-waivers:\n(?: {4}- .*\n)+/, ''] as const;

describe('a first hour with Lockstep', { timeout: MAX_TEST_MS }, () => {
  let folder = '';
  let bin = '';
  let server: Command | undefined;
  const inProject = (path: string): string => join(folder, path);
  const edit = (path: string, ...edits: readonly Edit[]): Promise<void> => edited(inProject(path), edits);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lockstep-stranger-'));
    bin = await installLockstep(folder);
  });
  afterEach(() => stop());
  afterAll(() => rm(folder, { recursive: true }));

  /** A command, which must end with a code, say some things, and nothing that is not meant for a reader. */
  async function says(args: readonly string[], code: number, ...sentences: (string | RegExp)[]): Promise<Finished> {
    const finished = await lockstep(args);
    const { stdout, stderr } = finished;
    const all = stdout + stderr;
    expect(finished.code, all).toBe(code);
    for (const sentence of sentences)
      expect(all).toEqual(
        typeof sentence === 'string' ? expect.stringContaining(sentence) : expect.stringMatching(sentence),
      );
    expect(all, 'a stack').not.toMatch(/^\s+at .+:\d+:\d+\)?$/m);
    expect(all, 'escape sequences').not.toContain('\u001b');
    expect(all, 'a place of this machine').not.toContain(join(bin, '..'));
    if (code === 0) expect(stderr).toBe('');
    return finished;
  }

  const lockstep = (args: readonly string[], environment: Environment = {}): Promise<Finished> =>
    new Command(bin, args, environment, folder).finished;

  const types = (): Promise<Finished> =>
    new Command(join(folder, 'node_modules/typescript/bin/tsc'), [], {}, folder).finished;

  /** Starts the server of the project; requests go to it. */
  async function start() {
    server = new Command(bin, ['start'], { PORT: '0' }, folder);
    const [, url = ''] = /is served at (\S+)/.exec(await server.output(/is served at \S+\n/)) ?? [];
    return callsOf(new URL(url).origin, (await lockstep(['token', '--sub', 'me', '--scope', SCOPES])).stdout.trim());
  }

  async function stop(): Promise<void> {
    await server?.stop();
    server = undefined;
  }

  it('begins in an empty folder, and calls a resource of its own within a minute', async () => {
    const began = Date.now();
    await says(
      ['init', '--name', 'library'],
      0,
      'Started library: contracts/, generated/, src/handlers/.',
      'npm run dev',
    );
    await says(['new', 'resource', 'authors', 'name:string!', 'born:date'], 0, 'contracts/graphql/authors.graphql');
    const { rest } = await start();
    expect(await rest('POST', '/v1/authors', { name: 'Ada' })).toMatchObject({ status: 201, body: { name: 'Ada' } });
    const tookMs = Date.now() - began;
    console.log(`From an empty folder to the first answered call: ${(tookMs / 1000).toFixed(1)} s.`);
  });

  it('adds what a contract may have', async () => {
    await says(
      ['new', 'resource', 'books', 'title:string!', 'author:ref(authors)!', 'isbn:string!:unique:immutable'],
      0,
      'contracts/paths/books.yaml',
    );
    await says(
      ['new', 'field', 'books', 'pages:integer', 'genre:enum(NOVEL,POETRY)'],
      0,
      'contracts/schemas/BookGenre.yaml',
    );
    await says(['new', 'reference', 'books', 'editor:authors'], 0, 'contracts/schemas/Book.yaml');
    await says(['new', 'filter', 'books', 'genre', 'title:contains'], 0, 'contracts/paths/books.yaml');
    await says(['new', 'sort', 'books', 'pages'], 0, 'contracts/graphql/books.graphql');
    await says(['new', 'resource', 'books/copies', 'shelf:string!'], 0, 'contracts/paths/book-copies.yaml');
    await says(['new', 'error', 'BOOK_ON_LOAN', '409', 'A reader has it.'], 0, 'contracts/schemas/ErrorCode.yaml');
  });

  it('is told what it has misspelled, and nothing is written', async () => {
    await says(['new', 'filter', 'books', 'titel'], 1, 'did you mean `title`?');
    await says(['new', 'field', 'boks', 'price:integer'], 1, /[Dd]id you mean `books`\?/);
    await says(['new', 'field', 'books', 'price:intgeer'], 2, 'Did you mean integer?');
    await says(['nwe'], 2, 'Did you mean new?');
    await says(['contract'], 0, '✓ contract');
  });

  it('has one half of the contract derived from the other', async () => {
    await says(['sync', '--dry-run'], 0, 'Nothing to derive: both halves agree.', '--connection Author.booksByAuthor');
    await says(['sync', '--connection', 'Author.booksByAuthor'], 0, /Wrote:\n {2}contracts\/graphql\/\w+\.graphql\n/);
    await edit('contracts/graphql/authors.graphql', [/(enum AuthorSort \{\n)/, '$1  BORN_ASC\n  BORN_DESC\n']);
    await says(['contract', '--only', 'contract'], 1, 'parity-sort', 'fix: at');
    await says(['sync', '--dry-run'], 0, '+++ contracts/paths/authors.yaml', 'Would write:');
    await says(['sync'], 0, 'contracts/paths/authors.yaml');
    await says(['generate'], 0);
    await says(
      ['contract'],
      0,
      '✓ lint',
      '✓ contract',
      '✓ drift',
      '– changes     not run: nothing has been released yet',
    );
  });

  it('adds an operation of its own, and pastes the function that it is given', async () => {
    const route = ['lendBook', 'POST /books/{bookId}/lend', 'dueOn:date!', 'note:string', '--returns', 'Book'];
    const { stdout } = await says(
      ['new', 'operation', ...route],
      0,
      'operations: {',
      'contracts/graphql/books.graphql',
    );
    expect((await lockstep(['start'])).stderr).toContain('No handler for lendBook');
    const stub = stdout.slice(stdout.indexOf('  operations: {'));
    await writeFile(inProject('src/handlers/index.ts'), handlersWith(stub));
    expect(await types()).toMatchObject({ code: 0, stdout: '' });
    const { rest, graphql } = await start();
    const id = '019bd2f0-7c00-7000-8000-000000000001';
    expect(await rest('POST', `/v1/books/${id}/lend`, { dueOn: '2026-12-24' })).toMatchObject({ status: 501 });
    const lend = (input: string) => graphql(`mutation { lendBook(id: "${id}", input: ${input}) { title } }`);
    expect((await lend('{ dueOn: "2026-12-24" }')).errors[0].extensions.code).toBe('NOT_IMPLEMENTED');
    expect((await lend('{ dueOn: "2026-12-24", note: "" }')).errors[0].extensions).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ argument: 'input.note' }],
    });
    expect(await rest('POST', `/v1/books/${id}/lend`, { dueOn: '2026-12-24', note: '' })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED', errors: [{ pointer: '/note' }] },
    });
  });

  it('overrides an action for both protocols', async () => {
    await writeFile(inProject('src/handlers/index.ts'), HANDLERS);
    expect(await types()).toMatchObject({ code: 0, stdout: '' });
    const { rest, graphql } = await start();
    expect(await rest('POST', '/v1/authors', { name: 'Nobody' })).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT' },
    });
    const create = 'mutation ($name: String!) { createAuthor(input: { name: $name }) { id } }';
    expect((await graphql(create, { name: 'Nobody' })).errors[0].extensions.code).toBe('CONFLICT');
    const authorId = (await graphql(create, { name: 'Mary' })).data.createAuthor.id;
    const book = await rest('POST', '/v1/books', { title: 'Frankenstein', authorId, isbn: '1818', genre: 'NOVEL' });
    expect(book.status).toBe(201);
    expect(await rest('POST', `/v1/books/${book.body.id}/copies`, { shelf: 'A 1' })).toMatchObject({ status: 201 });
    const lent = await rest('POST', `/v1/books/${book.body.id}/lend`, { dueOn: '2026-12-24' });
    expect(lent).toMatchObject({ status: 200, body: { title: 'Frankenstein' } });
    expect((await rest('GET', '/v1/books?genre=NOVEL&title[contains]=frank&sort=-pages')).body.data).toHaveLength(1);
    const query =
      '{ authors(first: 5, sort: [NAME_DESC]) { nodes { name booksByAuthor(first: 5) { nodes { title copies(first: 5) { nodes { shelf } } } } } } }';
    expect((await graphql(query)).data.authors.nodes).toContainEqual({
      name: 'Mary',
      booksByAuthor: { nodes: [{ title: 'Frankenstein', copies: { nodes: [{ shelf: 'A 1' }] } }] },
    });
  });

  it('is kept from breaking its callers, unless it means to', async () => {
    await says(['release'], 0, 'Released 0.1.0 of v1.');
    await says(['contract'], 0, '✓ changes     0 changes since 0.1.0');
    await withoutGenreFilter();
    const broken = await says(
      ['contract', '--only', 'changes'],
      1,
      /error {2}breaking-rest\/parameter-removed\n/,
      'listBooks',
      'This breaks clients of 0.1.0.',
    );
    await waive(broken.stdout);
    await says(['contract', '--only', 'changes'], 0, 'waived', 'Sent by nobody.');
    await edit('contracts/openapi.yaml', WAIVERS);
    await says(['contract', '--only', 'changes'], 1, 'breaking-rest/parameter-removed');
  });

  it('begins a new version, with the old one beside it', async () => {
    await edit('contracts/openapi.yaml', ['url: /v1', 'url: /v2']);
    await says(['contract', '--only', 'changes'], 1, 'x-versions');
    await edit('contracts/openapi.yaml', [
      'servers:\n',
      `  x-versions: { v1: { deprecated: '${day(0)}', sunset: '${day(30)}' } }\nservers:\n`,
    ]);
    await says(['generate'], 0);
    expect((await types()).stdout).toContain("Property 'versions' is missing");
    await mkdir(inProject('src/handlers/versions'));
    await writeFile(inProject('src/handlers/versions/v1.ts'), STEP);
    await edit(
      'src/handlers/index.ts',
      ['export const', "import { v1 } from './versions/v1.ts';\n\nexport const"],
      ['overrides: {', 'versions: { v1 },\n  overrides: {'],
    );
    expect(await types()).toMatchObject({ code: 0, stdout: '' });
    // GraphQL has no versions.
    const held = await says(['contract', '--only', 'changes'], 1, /error {2}breaking-graphql\//);
    expect(held.stdout).not.toMatch(/error {2}breaking-rest\//);
    await waive(held.stdout);
    await says(['generate'], 0);
    await says(['contract'], 0, '✓ changes');
    await says(['release'], 0, /Released \d+\.\d+\.\d+ of v2/);
    const { rest } = await start();
    expect((await rest('GET', '/v2/books?genre=NOVEL')).status).toBe(400);
    const old = await rest('GET', '/v1/books?genre=NOVEL');
    expect(old).toMatchObject({ status: 200, body: { data: [{ title: 'Frankenstein' }] } });
    for (const name of ['deprecation', 'sunset', 'link']) expect(old.headers.get(name), name).not.toBeNull();
  });

  it('retires the old version on the day of its sunset, not before', async () => {
    await edit('contracts/openapi.yaml', [/ {2}x-versions: .*\n/, ''], WAIVERS);
    await edit(
      'src/handlers/index.ts',
      ["import { v1 } from './versions/v1.ts';\n", ''],
      ['versions: { v1 },\n  ', ''],
    );
    await rm(inProject('src/handlers/versions'), { recursive: true });
    await says(['contract', '--only', 'changes'], 1, 'is no longer served, before its sunset on');
    const later = await laterBy(31);
    expect(await lockstep(['generate'], later)).toMatchObject({ code: 0, stderr: '' });
    expect(await types()).toMatchObject({ code: 0, stdout: '' });
    expect((await lockstep(['contract', '--only', 'changes'], later)).stdout).toMatch(/✓ changes[\s\S]*its sunset was/);
    expect((await lockstep(['release'], later)).stdout).toMatch(/Released .+ of v2/);
    const { rest } = await start();
    expect((await rest('GET', '/v1/books')).status).toBe(404);
    expect((await rest('GET', '/v2/books')).status).toBe(200);
  });

  /** Waives all that an output of `contract` says breaks clients. */
  async function waive(stdout: string): Promise<void> {
    const subjects = [...stdout.matchAll(/error {2}(\S+)\n[\s\S]*?subject `([^`]+)`/g)];
    const waivers = subjects.map(
      ([, rule, subject]) =>
        `    - { rule: ${rule}, subject: ${subject}, reason: Sent by nobody., until: 2999-12-31 }\n`,
    );
    await edit('contracts/openapi.yaml', ['servers:\n', `  x-waivers:\n${waivers.join('')}servers:\n`]);
  }

  /** The list of books without the filter by genre, in both halves. */
  async function withoutGenreFilter(): Promise<void> {
    await edit('contracts/paths/books.yaml', [/ {4}- name: genre\n(?: {6}.*\n)+/, '']);
    await edit('contracts/graphql/books.graphql', [/(input BookFilter \{[\s\S]*?) {2}"[^"]*"\n {2}genre: .*\n/, '$1']);
  }

  /** The environment of a process whose clock is ahead. */
  async function laterBy(days: number): Promise<Environment> {
    const path = inProject('node_modules/.later.mjs');
    await writeFile(
      path,
      `const { Date: Real } = globalThis;
const ahead = ${days * 86_400_000};
globalThis.Date = class extends Real {
  constructor(...given) { super(...(given.length === 0 ? [Real.now() + ahead] : given)); }
  static now() { return Real.now() + ahead; }
};
`,
    );
    return { NODE_OPTIONS: `--import=${path}` };
  }
});

const SCOPES = ['authors', 'books', 'copies'].flatMap((name) => [`${name}:read`, `${name}:write`]).join(' ');

/** A day from today: `2026-11-22`. */
const day = (ahead: number): string => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);

const IMPORTS = `import { ApiError } from '../../generated/errors.ts';
import type { Handlers } from '../../generated/handlers.ts';
`;

const handlersWith = (members: string): string => `${IMPORTS}
export const handlers = {
${members.trimEnd()}
} satisfies Handlers;
`;

const HANDLERS = handlersWith(`  overrides: {
    authors: {
      async create(input, _context, next) {
        if (input.name === 'Nobody') throw new ApiError('CONFLICT');
        return next(input);
      },
    },
  },
  operations: {
    lendBook: async ({ bookId }, { store }) => {
      const book = await store.books.get(bookId);
      if (!book) throw new ApiError('NOT_FOUND');
      return book;
    },
  },`);

const STEP = `import type { Step } from '../../../generated/versions/v1/step.ts';

/** The list of books took a filter that nobody sent. */
export const v1: Step = {
  queries: { listBooks: ({ genre: _, ...rest }) => rest },
};
`;

/** Calls of a running server with a token. */
function callsOf(origin: string, token: string) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  async function rest(method: string, path: string, body?: object) {
    const response = await fetch(origin + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    return { status: response.status, headers: response.headers, body: await response.json() };
  }
  const graphql = async (query: string, variables: object = {}) =>
    (await rest('POST', '/graphql', { query, variables })).body;
  return { rest, graphql };
}
