import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnyHandlers } from '../../../src/runtime/wiring.ts';
import { databases, type SharedTestDatabase } from '../../support/databases.ts';
import { type Edit, editedContract } from '../../support/edited-contract.ts';
import { librarian } from '../../support/library.ts';
import { contractOf, type Reply, type Service, startCompiled, startService } from '../../support/service.ts';

const YAML = 'openapi.yaml';

const rankOf = (initial: string): readonly Edit[] => [
  [YAML, 'updatedAt, name, born]', 'updatedAt, rank, name, born]'],
  [
    YAML,
    /(updatedAt: .*\n)( {8}name: .*\n {8}country)/g,
    `$1        rank: { type: string, maxLength: 9, default: ${initial} }\n$2`,
  ],
  ['library.graphql', /(type Author \{\n)/g, '$1  rank: String!\n'],
];

/** Contracts that show the same rows in other ways. */
const SHOWN: Readonly<Record<string, readonly Edit[]>> = {
  'a property less': [
    [YAML, / +country: .*\n/g, ''],
    [YAML, / +- \{ name: country.*\n/g, ''],
    ['library.graphql', / +country: .*\n/g, ''],
  ],
  'a property more': rankOf('NEW'),
  'another default': rankOf('OLD'),
};

const tagOf = ({ headers }: Reply): string => String(headers['etag']);
const read = (service: Service, path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
  service.request(method, path, { headers });
const write = (service: Service, method: string, path: string, body: object, headers: Record<string, string> = {}) =>
  service.request(method, path, { as: librarian, body, headers });

describe.each(databases)('the entity tag of a row on $name', (database) => {
  let shared: SharedTestDatabase;
  let services: readonly Service[];
  let path: string;
  let tags: readonly string[];

  beforeAll(async () => {
    const contracts = [
      await contractOf('library'),
      await contractOf('library'),
      ...(await Promise.all(Object.values(SHOWN).map((edits) => editedContract('library', edits)))),
    ];
    shared = await database.share(contracts.map(({ resources }) => resources));
    services = await Promise.all(
      contracts.map((contract, i) => {
        const open = async () => ({ store: shared.stores[i]!, close: async () => {} });
        return startCompiled(contract, { ...database, open });
      }),
    );
    const made = await write(services[0]!, 'POST', '/v1/authors', { name: 'Ada' });
    path = String(made.headers['location']);
    tags = await Promise.all(services.map(async (service) => tagOf(await read(service, path))));
  });
  afterAll(async () => {
    for (const service of services ?? []) await service.close();
    await shared?.close();
  });

  it('is that of every instance of the contract, and another of any that shows the row in another way', () => {
    expect(tags[0]).toMatch(/^"1\.[\w-]+"$/);
    expect(tags[1]).toBe(tags[0]);
    expect(new Set(tags).size).toBe(1 + Object.keys(SHOWN).length);
  });

  it.each(['GET', 'HEAD'])('is met by no If-None-Match of before: %s', async (method) => {
    for (const [at, service] of services.entries())
      for (const tag of [...tags, '"1"', 'W/"1"']) {
        const { status } = await read(service, path, { 'if-none-match': tag }, method);
        expect(status, `${at} ${tag}`).toBe(tag === tags[at] ? 304 : 200);
      }
  });

  it('means its version to an If-Match, whatever the contract was, and nothing else', async () => {
    for (const tag of [...tags, '"1"']) {
      for (const service of services) {
        expect((await read(service, path, { 'if-match': tag })).status).toBe(200);
        const { body } = await write(service, 'PATCH', path, { name: 'Eve' }, { 'if-match': tag.replace('1', '2') });
        expect(body).toMatchObject({ status: 412, detail: 'The resource is at version 1.' });
      }
    }
    for (const tag of ['"1."', '"1.a.b"', '".a"', '"01.a"', '"1.a "', '"1a"', '"1-.a"', '"1-view.a"', '"1.a-b.c"'])
      for (const method of ['GET', 'DELETE']) {
        const { status } = await services[0]!.request(method, path, { as: librarian, headers: { 'if-match': tag } });
        expect(status, `${method} ${tag}`).toBe(tag === '"1.a "' ? 400 : 412);
      }
  });

  it('says that a weak tag is why a precondition fails', async () => {
    const weak = 'If-Match has a weak entity tag, which never matches: send the strong one, without W/.';
    const headers = { 'if-match': `W/${tags[0]}` };
    for (const { body } of [
      await read(services[0]!, path, headers),
      await read(services[0]!, '/v1/authors', { 'if-match': 'W/"x"' }),
      await write(services[0]!, 'PATCH', path, { name: 'Eve' }, headers),
      await services[0]!.request('DELETE', path, { as: librarian, headers }),
    ]) {
      expect(body).toMatchObject({ status: 412, code: 'PRECONDITION_FAILED' });
      expect(body.detail).toContain(weak);
    }
    const strong = await write(services[0]!, 'PATCH', path, { name: 'Eve' }, { 'if-match': '"9"' });
    expect(strong.body.detail).not.toContain('weak');
  });
});

/** What code adds to names, which a release may change. */
let title = '';
const titled = (name: string): string => title + name.replace(/^(?:Dr|Prof) /, '');
type Author = { readonly name: string };
const named = async (next: () => Promise<Author>): Promise<Author> => {
  const author = await next();
  return { ...author, name: titled(author.name) };
};

/** Code that shows rows in another way, in each place in which it can. */
const CODE: Readonly<Record<string, AnyHandlers>> = {
  'an override of get': {
    overrides: { authors: { get: (_id: string, _context: object, next: () => Promise<Author>) => named(next) } },
  } as never,
  'overrides of writes': {
    overrides: {
      authors: {
        create: (input: Author, _context: object, next: (input: Author) => Promise<Author>) => named(() => next(input)),
        update: (input: Author, _context: object, next: (input: Author) => Promise<Author>) => named(() => next(input)),
      },
    },
  } as never,
  'a route in place of one': {
    routes: {
      getAuthor: async (request: object, _context: object, next: (request: object) => Promise<{ body: Author }>) => {
        const reply = await next(request);
        return { ...reply, body: { ...reply.body, name: titled(reply.body.name) } };
      },
    },
  } as never,
};

describe.each(databases)('the entity tag of a representation on $name', (database) => {
  it.each([['no code', {}], ...Object.entries(CODE)] as const)(
    'is one for each text, whichever action answers it: %s',
    async (_, handlers) => {
      const service = await startService('library', database, handlers);
      const seen = new Map<string, string>();
      const texts = new Map<string, Set<string>>();
      const note = (reply: Reply): Reply => {
        expect(reply.status, reply.text).toBeLessThan(300);
        expect(seen.get(reply.text) ?? tagOf(reply)).toBe(tagOf(reply));
        seen.set(reply.text, tagOf(reply));
        texts.set(
          `${reply.body.id} ${tagOf(reply)}`,
          (texts.get(`${reply.body.id} ${tagOf(reply)}`) ?? new Set()).add(reply.text),
        );
        return reply;
      };
      try {
        for (const [at, before] of ['', 'Dr ', 'Prof '].entries()) {
          title = before;
          const key = { 'idempotency-key': `"tagged ${at}"` };
          const made = note(await write(service, 'POST', '/v1/authors', { name: 'Ada' }, key));
          const path = String(made.headers['location']);
          note(await write(service, 'POST', '/v1/authors', { name: 'Ada' }, key));
          const got = note(await read(service, path));
          for (const other of ['', 'Dr ', 'Prof ']) {
            title = other;
            const { status } = await read(service, path, { 'if-none-match': tagOf(got) });
            const again = note(await read(service, path));
            expect(status).toBe(again.text === got.text ? 304 : 200);
            expect(tagOf(await read(service, path, {}, 'HEAD'))).toBe(tagOf(again));
          }
          title = before;
          note(await write(service, 'PATCH', path, { name: 'Bea' }, { 'if-match': tagOf(got) }));
          note(await read(service, path));
          note(await write(service, 'PUT', path, { name: 'Cid' }, { 'if-match': '"2"' }));
          note(await read(service, path));
        }
        for (const [tag, named] of texts) expect(named.size, tag).toBe(1);
      } finally {
        await service.close();
      }
    },
  );
});
