import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.ts';
import { replaceReads } from '../../support/reads.ts';
import { type Service, startService } from '../../support/service.ts';

const librarian = { sub: 'ada', scope: 'library:write' };

describe.each(databases)('a get with If-None-Match on $name', (database) => {
  let service: Service;
  let path = '';
  let tag = '';
  /** The columns of each read, `all` of a whole row. */
  const reads: (readonly string[] | 'all')[] = [];

  beforeAll(async () => {
    service = await startService('library', database);
    const { body } = await service.request('POST', '/v1/authors', { as: librarian, body: { name: 'Ada' } });
    path = `/v1/authors/${body.id}`;
    tag = String((await service.request('GET', path)).headers['etag']);
    replaceReads(service.store, (reader) => {
      const { get } = reader;
      return {
        get(...args) {
          reads.push(args[4] ? [...args[4].names] : 'all');
          return get.apply(reader, args);
        },
      };
    });
  });
  afterAll(() => service.close());

  const ask = async (headers: Readonly<Record<string, string>>) => {
    reads.length = 0;
    const { status, headers: answered, body } = await service.request('GET', path, { headers });
    return { status, etag: answered['etag'], name: body?.name, reads: [...reads] };
  };

  // Postgres would be asked twice where the caller has another version.
  const first = database.name === 'SQLite' ? [['id', 'version']] : [];

  it('reads the version alone where the caller has it', async () => {
    const whole = database.name === 'SQLite' ? [] : ['all'];
    const asked = await ask({ 'if-none-match': `"7", W/${tag}` });
    expect(asked).toEqual({ status: 304, etag: tag, name: undefined, reads: [...first, ...whole] });
  });

  it.each(['"7"', '"1"', '"1.another"'])('reads the row where the caller has another tag, %s', async (other) => {
    const asked = await ask({ 'if-none-match': other });
    expect(asked).toEqual({ status: 200, etag: tag, name: 'Ada', reads: [...first, 'all'] });
  });

  it('asks If-Match first', async () => {
    expect(await ask({ 'if-none-match': tag, 'if-match': '"7"' })).toMatchObject({ status: 412 });
  });

  it('without it reads the row alone', async () => {
    expect((await ask({})).reads).toEqual(['all']);
  });
});
