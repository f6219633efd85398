import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../../src/runtime/storage/store.ts';
import type { AnyHandlers } from '../../../src/runtime/wiring.ts';
import { type DatabaseKind, databases, type TestDatabase } from '../../support/databases.ts';
import { bookInput, type Json, librarian, member, newAuthor, newBook, newLoan } from '../../support/library.ts';
import { contractOf, type Service, startService } from '../../support/service.ts';

const NOON = Date.parse('2026-01-15T12:00:00.000Z');
const HOUR_MS = 3_600_000;

/** A loan changes its book. */
const overrides = {
  loans: {
    async create(input: Json, { store }: Json, next: (input: Json) => Promise<Json>) {
      const book = await store.books.get(input.bookId);
      await store.books.update(book.id, { lentCount: book.lentCount + 1 });
      return next(input);
    },
  },
} as unknown as NonNullable<AnyHandlers['overrides']>;

/** What changes a book, over either protocol. */
const CHANGES: readonly (readonly [name: string, change: (service: Service, book: Json) => Promise<unknown>])[] = [
  [
    'an update over REST',
    (service, { id }) => service.request('PATCH', `/v1/books/${id}`, { as: librarian, body: { pages: 7 } }),
  ],
  [
    'a replacement over REST',
    (service, { id, authorId }) =>
      service.request('PUT', `/v1/books/${id}`, { as: librarian, body: bookInput(authorId, { pages: 7 }) }),
  ],
  [
    'an update over GraphQL',
    (service, { id }) =>
      service.graphql(`mutation { updateBook(id: "${id}", input: { pages: 7 }) { id } }`, { as: librarian }),
  ],
  [
    'a replacement over GraphQL',
    (service, { id, authorId }) =>
      service.graphql('mutation ($id: ID!, $input: BookInput!) { replaceBook(id: $id, input: $input) { id } }', {
        as: librarian,
        variables: { id, input: bookInput(authorId, { pages: 7, edition: { paper: { binding: 'HARD' } } }) },
      }),
  ],
  ['code', (service, { id }) => newLoan(service, member, { bookId: id })],
  [
    'the deletion of what it refers to',
    (service, { editorId }) => service.request('DELETE', `/v1/authors/${editorId}`, { as: librarian }),
  ],
];

/** Servers with clocks of their own, one after the other or side by side on one database. */
function onOneDatabase(kind: DatabaseKind) {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await kind.open((await contractOf('library')).resources);
  });
  const starting = (now: () => number, store: Store = database.store): Promise<Service> => {
    const shared = { ...kind, open: async () => ({ store, close: async () => {} }) };
    return startService('library', shared, {}, { clock: now });
  };
  return {
    starting,
    get store(): Store {
      return database.store;
    },
    close: () => database.close(),
  };
}

/** The store with another way to its mark. */
function withMark(store: Store, clockMark: Store['clockMark']): Store {
  return new Proxy(store, {
    get(target, key) {
      if (key === 'clockMark') return clockMark;
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

describe.each(databases)('a clock that is behind, on $name', (kind) => {
  let service: Service;
  let now = NOON;
  beforeAll(async () => {
    service = await startService('library', kind, { overrides }, { clock: () => now });
  });
  afterAll(() => service.close());

  it.each(CHANGES)('does not make a row older by %s', async (_, change) => {
    now = NOON;
    const editor = await newAuthor(service);
    const book = await newBook(service, { editorId: editor.id });
    const present = async () => (await service.request('GET', `/v1/books/${book.id}`)).body;
    now = NOON - HOUR_MS;
    await change(service, book);
    expect(await present()).toMatchObject({ version: 2, updatedAt: book.updatedAt });
    now = NOON + 1;
    await service.request('PATCH', `/v1/books/${book.id}`, { as: librarian, body: { pages: 9 } });
    expect((await present()).updatedAt).toBe('2026-01-15T12:00:00.001Z');
  });
});

describe.each(databases)('ids that a server makes, on $name', (kind) => {
  const shared = onOneDatabase(kind);

  const idsOf = async (service: Service, count = 3): Promise<string[]> => {
    const ids: string[] = [];
    for (let i = 0; i < count; i++) ids.push((await newAuthor(service)).id);
    return ids;
  };

  it('rise from one start to the next, with the clock an hour behind, and beyond', async () => {
    const ids: string[] = [];
    for (const time of [NOON, NOON - HOUR_MS, NOON - HOUR_MS, NOON + 1, NOON + HOUR_MS]) {
      const service = await shared.starting(() => time);
      ids.push(...(await idsOf(service)));
      await service.close();
    }
    expect(ids).toEqual(ids.toSorted());
    await shared.close();
  });

  it('rise while the clock of a running server goes back and forth', async () => {
    let now = NOON;
    const service = await shared.starting(() => now);
    const ids: string[] = [];
    for (const time of [NOON, NOON + 3 * HOUR_MS, NOON, NOON + 4 * HOUR_MS]) {
      now = time;
      ids.push(...(await idsOf(service)));
    }
    expect(ids).toEqual(ids.toSorted());
    expect(Number.parseInt(ids.at(-1)!.replaceAll('-', '').slice(0, 12), 16)).toBe(NOON + 4 * HOUR_MS);
    await service.close();
    await shared.close();
  });

  it('are above those of all servers that have started before', async () => {
    const [one, other] = [await shared.starting(() => NOON), await shared.starting(() => NOON + HOUR_MS)];
    const before = [...(await idsOf(other)), ...(await idsOf(one))];
    const third = await shared.starting(() => NOON);
    const [first] = await idsOf(third, 1);
    expect([...before, first].toSorted().at(-1)).toBe(first);
    for (const service of [one, other, third]) await service.close();
    await shared.close();
  });

  it('take a write for the mark now and then, and none for each', async () => {
    const marks: number[] = [];
    const { store } = shared;
    const counted = withMark(store, (atLeast) => {
      if (atLeast !== undefined) marks.push(atLeast);
      return store.clockMark(atLeast);
    });
    let now = NOON;
    const service = await shared.starting(() => now, counted);
    expect(marks).toEqual([]);
    for (; now < NOON + 90_000; now += 10_000) await idsOf(service, 2);
    expect(marks).toEqual([NOON + 60_000, NOON + 120_000]);
    await service.close();
    await shared.close();
  });

  it('are refused a clock that is more than a day behind, and no other', async () => {
    const ahead = await shared.starting(() => NOON + 30 * HOUR_MS);
    const [late] = await idsOf(ahead, 1);
    await ahead.close();
    await expect(shared.starting(() => NOON)).rejects.toThrow(
      /more than a day behind the ids that were made before \(2026-01-16T18:01:00\.000Z\)\.\n.*npm run migrate -- --reset-clock/,
    );
    const near = await shared.starting(() => NOON + 7 * HOUR_MS);
    expect((await idsOf(near, 1))[0]! > late!).toBe(true);
    await near.close();
    await shared.close();
  });

  it('need no write where none are made: a server that only reads starts', async () => {
    const first = await shared.starting(() => NOON);
    const [id] = await idsOf(first, 1);
    await first.close();
    const { store } = shared;
    const readOnly = withMark(store, (atLeast) => {
      if (atLeast !== undefined) throw new Error('read-only');
      return store.clockMark();
    });
    const standby = await shared.starting(() => NOON - HOUR_MS, readOnly);
    expect(await standby.request('GET', `/v1/authors/${id}`)).toMatchObject({ status: 200 });
    expect(await standby.request('POST', '/v1/authors', { as: librarian, body: { name: 'A' } })).toMatchObject({
      status: 500,
    });
    await standby.close();
    await shared.close();
  });
});
