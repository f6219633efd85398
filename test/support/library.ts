import type { Service } from './service.ts';

export const WRITE = 'library:write';
export const librarian = { sub: '00000000-0000-7000-8000-00000000000a', scope: WRITE };
export const member = { sub: '00000000-0000-7000-8000-00000000000b', scope: '' };
export const otherMember = { sub: '00000000-0000-7000-8000-00000000000c', scope: '' };
export const loansAdmin = { sub: '00000000-0000-7000-8000-00000000000d', scope: 'loans:admin' };
export const nobody = '00000000-0000-7000-8000-0000000000ff';

/** A resource as JSON. */
// biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
export type Json = any;

let serial = 0;

export function authorInput(values: object = {}): object {
  return { name: 'Ada', born: null, ...values };
}

/** Unique ISBNs, so that books don't collide by accident. */
export function bookInput(authorId: string, values: object = {}): object {
  serial += 1;
  return {
    title: `Book ${serial}`,
    isbn: String(9780000000000 + serial),
    authorId,
    pages: 100,
    price: '12.50',
    edition: { kind: 'PAPER', binding: 'HARD' },
    ...values,
  };
}

async function created(service: Service, url: string, body: object, as: object): Promise<Json> {
  const reply = await service.request('POST', url, { as, body });
  if (reply.status !== 201) throw new Error(`POST ${url} answered ${reply.status}: ${reply.text}`);
  return reply.body;
}

export const newAuthor = (service: Service, values: object = {}): Promise<Json> =>
  created(service, '/v1/authors', authorInput(values), librarian);

export async function newBook(
  service: Service,
  values: { authorId?: string } & Record<string, unknown> = {},
): Promise<Json> {
  const authorId = values.authorId ?? (await newAuthor(service)).id;
  return created(service, '/v1/books', bookInput(authorId, values), librarian);
}

export const newCopy = (service: Service, bookId: string, values: object = {}): Promise<Json> =>
  created(service, `/v1/books/${bookId}/copies`, { label: 'A', shelf: 'S1', ...values }, librarian);

export async function newLoan(
  service: Service,
  as: object = member,
  values: { bookId?: string } & Record<string, unknown> = {},
): Promise<Json> {
  const bookId = values.bookId ?? (await newBook(service)).id;
  return created(service, '/v1/loans', { bookId, dueOn: '2026-02-01', ...values }, as);
}
