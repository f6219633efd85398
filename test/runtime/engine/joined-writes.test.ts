import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Action } from '../../../src/descriptor/resource.ts';
import { admit } from '../../../src/runtime/engine/access/inner-door.ts';
import { createEngine } from '../../../src/runtime/engine/create-engine.ts';
import type { Caller, OpenTransaction } from '../../../src/runtime/engine/interface/call.ts';
import type { Engine, Entity } from '../../../src/runtime/engine/interface/engine.ts';
import { createSchemaRegistry } from '../../../src/runtime/schema/create-schema-registry.ts';
import { databases } from '../../support/databases.ts';
import { authorInput, bookInput, type Json, librarian, newAuthor } from '../../support/library.ts';
import { type Service, startService } from '../../support/service.ts';

const caller: Caller = {
  principal: {
    subject: librarian.sub,
    scopes: new Set(librarian.scope.split(' ')),
    expiresAtMs: Number.POSITIVE_INFINITY,
  },
  requestId: 'r',
  log: { info: () => {}, warn: () => {}, error: () => {} },
};

const stop = new Error('stop');

describe.each(databases)('writes that join one transaction on $name', (database) => {
  let service: Service;
  let engine: Engine;
  const seen: unknown[] = [];
  let end: () => Promise<unknown>;

  const admitted = (resource: string, action: Action): Caller =>
    admit(service.contract.resources.find(({ key }) => key === resource)!.actions[action]!.access, caller);

  beforeAll(async () => {
    service = await startService('library', database);
    engine = await createEngine({
      ...service.contract,
      schemas: createSchemaRegistry(service.contract.document),
      store: service.store,
      clock: Date.now,
      watched: new Set(['authors']),
    });
    const stream = await engine.subscribe({
      caller: admitted('authors', 'get'),
      resource: 'authors',
      kind: 'updated',
      where: {},
    });
    end = () => stream.return();
    void (async () => {
      for await (const entity of stream) seen.push((entity as Entity).value['name']);
    })();
  });
  afterAll(async () => {
    await end();
    await service.close();
  });

  const got = async (path: string): Promise<Json> => (await service.request('GET', `/v1${path}`)).body;

  /** Creates a book, updates its author, and lets an operation add what it reads of both. */
  const write = async (joins: OpenTransaction, authorId: string): Promise<string> => {
    const [books, authors] = ['books', 'authors'].map((key) => engine.resources.get(key)!);
    const input = bookInput(authorId);
    const book = await books!.create({ caller: admitted('books', 'create'), params: {}, input, joins });
    const update = { params: { authorId }, input: { name: 'Grace' }, joins };
    await authors!.update({ ...update, caller: admitted('authors', 'update') });
    await engine.perform({ caller, params: {}, reads: false, joins }, async ({ store }) => {
      const { name } = (await store['authors']!.get(authorId)) as Json;
      await store['books']!.update(book.id, { title: `A book of ${name}` });
    });
    return book.id as string;
  };

  it('are committed together, and published once they are', async () => {
    const { id } = await newAuthor(service);
    seen.length = 0;
    const bookId = await engine.transaction(caller, async (open) => {
      const made = await write(open, id);
      expect([(await got(`/authors/${id}`)).name, (await got(`/books/${made}`)).status]).toEqual(['Ada', 404]);
      expect(seen).toEqual([]);
      return made;
    });
    expect((await got(`/books/${bookId}`)).title).toBe('A book of Grace');
    expect(await got(`/authors/${id}`)).toMatchObject({ name: 'Grace', version: 2 });
    await expect.poll(() => seen).toEqual(['Grace']);
  });

  it('are taken back together', async () => {
    const { id } = await newAuthor(service);
    let bookId = '';
    const failing = engine.transaction(caller, async (open) => {
      bookId = await write(open, id);
      throw stop;
    });
    await expect(failing).rejects.toBe(stop);
    expect((await got(`/books/${bookId}`)).status).toBe(404);
    expect(await got(`/authors/${id}`)).toMatchObject({ name: 'Ada', version: 1 });
  });

  it('are replaced, deleted and created once for a key in it, too', async () => {
    const { id } = await newAuthor(service);
    const authors = engine.resources.get('authors')!;
    const params = { authorId: id };
    const failing = engine.transaction(caller, async (joins) => {
      const create = { caller: admitted('authors', 'create'), params: {}, idempotencyKey: `once ${id}`, joins };
      const made = await authors.create({ ...create, input: authorInput() });
      expect(await authors.create({ ...create, input: authorInput() })).toMatchObject({
        id: made.id,
        isReplayed: true,
      });
      const input = authorInput({ name: 'Grace' });
      await authors.replace({ caller: admitted('authors', 'replace'), params, input, joins });
      await authors.delete({ caller: admitted('authors', 'delete'), params, joins });
      throw stop;
    });
    await expect(failing).rejects.toBe(stop);
    expect(await got(`/authors/${id}`)).toMatchObject({ name: 'Ada', version: 1 });
    const again = { caller: admitted('authors', 'create'), params: {}, idempotencyKey: `once ${id}` };
    expect(await authors.create({ ...again, input: authorInput() })).toMatchObject({ isReplayed: false });
  });
});
