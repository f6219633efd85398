import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.ts';
import { authorInput, bookInput, type Json, librarian, newAuthor, newBook, nobody } from '../../support/library.ts';
import { type Service, startService } from '../../support/service.ts';

describe.each(databases)('create on $name', (database) => {
  let service: Service;
  let author: Json;

  beforeAll(async () => {
    service = await startService('library', database);
    author = await newAuthor(service);
  });
  afterAll(() => service.close());

  const post = (body: unknown, url = '/v1/books') => service.request('POST', url, { as: librarian, body });

  it('answers 201 with the whole resource, Location and ETag', async () => {
    const reply = await post(bookInput(author.id, { title: 'Ünïcode “quotes” \\ \u2028 🐈' }));
    expect(reply.status).toBe(201);
    expect(reply.headers['location']).toBe(`/v1/books/${reply.body.id}`);
    expect(reply.headers['etag']).toMatch(/^"1\.[\w-]+"$/);
    expect(reply.body).toMatchObject({
      version: 1,
      title: 'Ünïcode “quotes” \\ \u2028 🐈',
      status: 'DRAFT',
      printed: '0',
      isReference: false,
      tags: [],
      editorId: null,
      publishedAt: null,
      lentCount: 0,
      createdAt: service.now,
      updatedAt: service.now,
    });
    expect(reply.body).not.toHaveProperty('weight');
    expect(reply.body.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    const stored = await service.request('GET', reply.headers['location'] as string);
    expect(stored.text).toBe(reply.text);
  });

  it('keeps 64-bit integers and decimals exact', async () => {
    const reply = await post(bookInput(author.id, { printed: '9223372036854775807', price: '0.10000000000000001' }));
    expect(reply.body).toMatchObject({ printed: '9223372036854775807', price: '0.10000000000000001' });
  });

  it('keeps times in UTC', async () => {
    const reply = await post(bookInput(author.id, { publishedAt: '2026-01-01T02:00:00.5+02:00' }));
    expect(reply.body.publishedAt).toBe('2026-01-01T00:00:00.500Z');
  });

  it('names every fault by its pointer, and keeps nothing', async () => {
    const before = await service.request('GET', '/v1/books?count=true&limit=1');
    const reply = await post({
      ...bookInput(author.id),
      title: '',
      isbn: 'x',
      pages: '100',
      size: { heightMm: 0 },
      edition: { kind: 'PAPER', binding: 'RING' },
      printed: '9223372036854775808',
      id: nobody,
      unknown: 1,
    });
    expect(reply).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    expect(reply.body.errors.map((error: Json) => error.pointer).sort()).toEqual([
      '/edition/binding',
      '/id',
      '/isbn',
      '/pages',
      '/printed',
      '/size/heightMm',
      '/size/widthMm',
      '/title',
      '/unknown',
    ]);
    const after = await service.request('GET', '/v1/books?count=true&limit=1');
    expect(after.body.page.totalCount).toBe(before.body.page.totalCount);
  });

  it.each([
    ['pages', null],
    ['pages', '5'],
    ['pages', 1.5],
    ['pages', true],
    ['pages', [5]],
    ['pages', 9007199254740992],
    ['title', 5],
    ['title', ['x']],
    ['title', 'nul\u0000'],
    ['title', '\ud800'],
    ['isReference', 'true'],
    ['isReference', 1],
    ['printed', 5],
    ['printed', '05'],
    ['price', 12.5],
    ['price', '1e3'],
    ['tags', 'a'],
    ['tags', [1]],
    ['authorId', 'urn:uuid:00000000-0000-7000-8000-0000000000ff'],
    ['publishedAt', '2026-02-30T00:00:00Z'],
    ['publishedAt', '2026-01-01'],
    ['publishedAt', 0],
    ['edition', { kind: 'PAPER', binding: 'HARD', megabytes: 1 }],
    ['edition', { binding: 'HARD' }],
    ['edition', { kind: 'STONE' }],
  ])('never bends a value: %s = %j is refused', async (name, value) => {
    const reply = await post(bookInput(author.id, { [name]: value }));
    expect(reply).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    expect(reply.body.errors[0].pointer.startsWith(`/${name}`)).toBe(true);
  });

  it('refuses a value that another has of a unique property', async () => {
    const { isbn } = await newBook(service, { authorId: author.id });
    const reply = await post(bookInput(author.id, { isbn }));
    expect(reply).toMatchObject({ status: 409, body: { code: 'ALREADY_EXISTS', errors: [{ pointer: '/isbn' }] } });
  });

  it('names every reference that leads nowhere', async () => {
    const reply = await post(bookInput(nobody, { editorId: nobody }));
    expect(reply).toMatchObject({ status: 422, body: { code: 'REFERENCE_NOT_FOUND' } });
    expect(reply.body.errors.map((error: Json) => error.pointer)).toEqual(['/authorId', '/editorId']);
  });

  it('starts a state machine in its first state only', async () => {
    const reply = await post(bookInput(author.id, { status: 'RETIRED' }));
    expect(reply).toMatchObject({
      status: 409,
      body: { code: 'ILLEGAL_TRANSITION', errors: [{ pointer: '/status' }] },
    });
    expect(await post(bookInput(author.id, { status: 'DRAFT' }))).toMatchObject({ status: 201 });
  });

  it('needs a token with the scope', async () => {
    const body = authorInput();
    const as = { sub: nobody, scope: 'other' };
    expect(await service.request('POST', '/v1/authors', { body })).toMatchObject({
      status: 401,
      body: { code: 'UNAUTHENTICATED' },
    });
    expect(await service.request('POST', '/v1/authors', { body, as })).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN' },
    });
  });
});
