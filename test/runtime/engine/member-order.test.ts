import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.ts';
import { librarian, newBook } from '../../support/library.ts';
import { type Service, startService } from '../../support/service.ts';

describe.each(databases)('members of stored JSON on $name', (database) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService('library', database);
  });
  afterAll(() => service.close());

  const orderIn = (text: string, property: string) => {
    const [, object] = new RegExp(`"${property}":(\\{[^}]*\\})`).exec(text)!;
    return Object.keys(JSON.parse(object!));
  };

  it('are answered in the order of their schema, whatever order they were sent in', async () => {
    const values = { size: { depthMm: 3, widthMm: 2, heightMm: 1 }, edition: { binding: 'HARD', kind: 'PAPER' } };
    const book = await newBook(service, values);
    const changed = { size: { widthMm: 5 } };
    for (const { text } of [
      await service.request('GET', `/v1/books/${book.id}`),
      await service.request('GET', '/v1/books'),
      await service.request('PATCH', `/v1/books/${book.id}`, { as: librarian, body: changed }),
    ]) {
      expect(orderIn(text, 'size')).toEqual(['heightMm', 'widthMm', 'depthMm']);
      expect(orderIn(text, 'edition')).toEqual(['kind', 'binding']);
    }
  });
});
