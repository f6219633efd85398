import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { admit } from '../../../src/runtime/engine/access/inner-door.ts';
import { createEngine } from '../../../src/runtime/engine/create-engine.ts';
import type { Caller } from '../../../src/runtime/engine/interface/call.ts';
import type { Engine, Entity, Page } from '../../../src/runtime/engine/interface/engine.ts';
import type { Override } from '../../../src/runtime/engine/interface/untyped.ts';
import { ApiError } from '../../../src/runtime/errors/api-error.ts';
import { createSchemaRegistry } from '../../../src/runtime/schema/create-schema-registry.ts';
import { databases } from '../../support/databases.ts';
import { type Json, librarian, loansAdmin, member, newAuthor, nobody, otherMember } from '../../support/library.ts';
import { type Service, startService } from '../../support/service.ts';

const log = { info: () => {}, warn: () => {}, error: () => {} };
const callerOf = ({ sub, scope }: typeof member) => ({
  principal: { subject: sub, scopes: new Set(scope.split(' ')), expiresAtMs: Number.POSITIVE_INFINITY },
  requestId: 'r',
  log,
});

describe.each(databases)('many at once on $name', (database) => {
  let service: Service;
  let engine: Engine;
  let loans: Json[];
  let extensions: Json[];

  const engineWith = (overrides: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {}): Promise<Engine> => {
    const schemas = createSchemaRegistry(service.contract.document);
    return createEngine({
      ...service.contract,
      schemas,
      store: service.store,
      clock: Date.now,
      overrides: overrides as Record<string, Record<string, Override>>,
    });
  };
  const post = async (path: string, as: object, body: object): Promise<Json> => {
    const reply = await service.request('POST', `/v1${path}`, { as, body });
    if (reply.status !== 201) throw new Error(reply.text);
    return reply.body;
  };

  /** A caller who has come through the door for an action. */
  const admitted = (resource: string, action: 'get' | 'list', caller: Caller): Caller => {
    const { actions } = service.contract.resources.find(({ key }) => key === resource)!;
    return admit(actions[action]!.access, caller);
  };

  beforeAll(async () => {
    service = await startService('library', database);
    engine = await engineWith();
    const author = await newAuthor(service);
    const edition = { kind: 'PAPER', binding: 'HARD' };
    const book = await post('/books', librarian, {
      title: 'A',
      isbn: '9780000009999',
      authorId: author.id,
      pages: 1,
      price: '1.00',
      edition,
    });
    loans = [];
    extensions = [];
    for (const as of [member, otherMember]) {
      const loan = await post('/loans', as, { bookId: book.id, dueOn: '2026-02-01' });
      loans.push(loan);
      for (const days of [1, 2]) extensions.push(await post(`/loans/${loan.id}/extensions`, as, { days }));
    }
  });
  afterAll(() => service.close());

  const outcomes = (found: readonly (Entity | ApiError)[]) =>
    found.map((one) => (one instanceof ApiError ? one.code : one.id));

  it('are got in the order of the ids, those out of sight as not found', async () => {
    const ids = [loans[1].id, nobody, loans[0].id];
    const get = (as: typeof member) =>
      engine.resources.get('loans')!.getEach({ caller: admitted('loans', 'get', callerOf(as)), ids });
    expect(outcomes(await get(member))).toEqual(['NOT_FOUND', 'NOT_FOUND', loans[0].id]);
    expect(outcomes(await get(loansAdmin))).toEqual([loans[1].id, 'NOT_FOUND', loans[0].id]);
  });

  it('are out of sight with what they belong to', async () => {
    const ids = extensions.map(({ id }) => id);
    const caller = admitted('loans.extensions', 'get', callerOf(member));
    const found = await engine.resources.get('loans.extensions')!.getEach({ caller, ids });
    expect(outcomes(found)).toEqual([ids[0], ids[1], 'NOT_FOUND', 'NOT_FOUND']);
  });

  it('are listed for each, a page of each', async () => {
    const caller = admitted('loans.extensions', 'list', callerOf(loansAdmin));
    const call = { caller, property: 'loanId', ids: [loans[1].id, nobody, loans[0].id] };
    const pages = (await engine.resources
      .get('loans.extensions')!
      .listEach({ ...call, query: { limit: 1, count: true } })) as Page[];
    expect(pages.map(({ items, totalCount, nextCursor }) => [items.length, totalCount, nextCursor !== null])).toEqual([
      [1, 2, true],
      [0, 0, false],
      [1, 2, true],
    ]);
    const next = { ...call, query: { limit: 1, cursor: pages[0]!.nextCursor! } };
    const later = await engine.resources.get('loans.extensions')!.listEach(next);
    expect(later.map((page) => (page instanceof ApiError ? page.code : page.items[0]!.id))).toEqual([
      extensions[3].id,
      'INVALID_CURSOR',
      'INVALID_CURSOR',
    ]);
  });

  it('go through the code that overrides an action', async () => {
    const seen: unknown[] = [];
    const overriding = await engineWith({
      loans: {
        get: (id: string, _context: unknown, next: () => Promise<unknown>) => {
          seen.push(id);
          return next();
        },
      },
      'loans.extensions': {
        list: (query: object, context: Json, next: (query: object) => Promise<unknown>) => {
          seen.push(context.params.loanId);
          return next(query);
        },
      },
    });
    const reader = admitted('loans', 'get', callerOf(loansAdmin));
    const ids = loans.map(({ id }) => id);
    expect(outcomes(await overriding.resources.get('loans')!.getEach({ caller: reader, ids }))).toEqual(ids);
    const caller = admitted('loans.extensions', 'list', callerOf(loansAdmin));
    const call = { caller, property: 'loanId', ids, query: {} };
    const pages = (await overriding.resources.get('loans.extensions')!.listEach(call)) as Page[];
    expect(pages.map(({ items }) => items.length)).toEqual([2, 2]);
    expect(seen).toEqual([...ids, ...ids]);
  });

  it('need what one needs', () => {
    const anonymous = { principal: undefined, requestId: 'r', log };
    const ids = [loans[0].id];
    expect(() => admitted('loans', 'get', anonymous)).toThrow(expect.objectContaining({ code: 'UNAUTHENTICATED' }));
    // Who has not come through the door is the server's own fault, and gets nothing.
    const get = () => engine.resources.get('loans')!.getEach({ caller: anonymous, ids });
    expect(get).toThrow('without authorization');
    const forAnother = admitted('loans', 'list', callerOf(loansAdmin));
    expect(() => engine.resources.get('loans')!.getEach({ caller: forAnother, ids })).toThrow('without authorization');
  });
});
