import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.ts';
import { type Json, librarian, newAuthor, nobody } from '../../support/library.ts';
import { type Service, startService } from '../../support/service.ts';

describe.each(databases)('conditional requests on $name', (database) => {
  let service: Service;
  let author: Json;

  beforeAll(async () => {
    service = await startService('library', database);
    author = await newAuthor(service);
  });
  afterAll(() => service.close());

  const url = () => `/v1/authors/${author.id}`;
  const get = (tag: string, method = 'GET') => service.request(method, url(), { headers: { 'if-none-match': tag } });

  it.each(['TAG', 'W/TAG', '*', '"0", TAG', 'W/"7" ,W/TAG'])(
    'If-None-Match: %s answers 304 without a body',
    async (field) => {
      const etag = String((await service.request('GET', url())).headers['etag']);
      const tag = field.replaceAll('TAG', etag);
      const reply = await get(tag);
      expect(reply).toMatchObject({ status: 304, text: '' });
      expect(reply.headers['etag']).toBe(etag);
      expect(await get(tag, 'HEAD')).toMatchObject({ status: 304 });
    },
  );

  it.each(['"1"', 'W/"1"', '"2"', 'W/"2"', '"01"', '""'])('If-None-Match: %s answers the resource', async (tag) => {
    expect(await get(tag)).toMatchObject({ status: 200, body: { id: author.id } });
  });

  it.each([
    [{ 'if-match': '"2"' }, 412],
    [{ 'if-match': 'W/"1"' }, 412],
    [{ 'if-none-match': '*' }, 412],
    [{ 'if-none-match': 'W/"1"' }, 412],
    [{ 'if-match': '"1"' }, 200],
    [{ 'if-match': '*' }, 200],
    [{ 'if-match': '"0", "1"' }, 200],
    [{ 'if-none-match': '"2"' }, 200],
  ])('a change under %j answers %i', async (headers, status) => {
    const reply = await service.request('PATCH', url(), { as: librarian, body: {}, headers });
    expect(reply.status).toBe(status);
    if (status === 412) expect(reply.body.code).toBe('PRECONDITION_FAILED');
  });

  it('If-Match: * on a missing resource is 404', async () => {
    const options = { as: librarian, body: {}, headers: { 'if-match': '*' } };
    expect(await service.request('PATCH', `/v1/authors/${nobody}`, options)).toMatchObject({ status: 404 });
  });

  it.each(['1', '"1', 'W/1', '"1" "2"'])('refuses the malformed tag %s', async (tag) => {
    expect(await get(tag)).toMatchObject({ status: 400, body: { errors: [{ header: 'If-None-Match' }] } });
  });

  it('HEAD answers the headers of GET', async () => {
    const [head, got] = [await service.request('HEAD', url()), await service.request('GET', url())];
    expect(head).toMatchObject({ status: 200, text: '' });
    for (const name of ['etag', 'content-type', 'content-length']) expect(head.headers[name]).toBe(got.headers[name]);
  });
});
