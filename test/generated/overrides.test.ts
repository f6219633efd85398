import { beforeAll, describe, expect, it } from 'vitest';
import { compileContract } from '../../src/compiler/compile-contract.ts';
import { libraryFrom, typeErrors } from '../support/type-check.ts';

/** One override a line, by what it shows; each is the whole of a module's `overrides`. */
const good: Readonly<Record<string, string>> = {
  'what an override sets beside the input':
    '{ books: { create: async (input, _, next) => next({ ...input, lentCount: 1 }) } }',
  'the row as it was':
    '{ books: { update: async (patch, { current, caller }, next) => (caller && current.lentCount > 0 ? current : next(patch)) } }',
  'the parent of a sub-resource':
    "{ 'books.copies': { create: async (input, { params, store }, next) => { await store.books.update(params.bookId, { lentCount: 0 }); return next(input); } } }",
  'a list under another order': "{ books: { list: (query, _, next) => next({ ...query, sort: ['-title'] }) } }",
  'filters, orders and pages of what it reads':
    "{ loans: { delete: async (_id, { store }, next) => { const filter = { or: [{ lentCount: { gte: 2, lt: 9 } }, { title: { contains: 'x' } }], not: { editorId: null } } as const; for await (const { title } of store.books.each({ lentCount: [1, 2] }, { filter, sort: ['-lentCount', 'title'] })) title.trim(); const n: number = await store.books.count({}, { filter }); await store.books.list({}, { filter: { editorId: { isNull: false }, status: ['DRAFT'] }, limit: n }); await next(); } } }",
  'a deletion': '{ loans: { delete: async (id, { store }, next) => { await store.loans.get(id); await next(); } } }',
};

const bad: Readonly<Record<string, readonly [string, RegExp]>> = {
  "another resource's parameter": [
    "{ 'books.copies': { create: (input, { params }, next) => next({ ...input, shelf: params.loanId }) } }",
    /'loanId' does not exist/,
  ],
  'a parameter where the path has none': [
    '{ books: { create: (input, { params }, next) => next({ ...input, title: params.bookId }) } }',
    /'bookId' does not exist/,
  ],
  'an action that is not declared': ['{ notes: { delete: async () => undefined } }', /'delete' does not exist/],
  'a replace that the contract does not have': [
    "{ 'notes.comments': { replace: (input, _, next) => next(input) } }",
    /'replace' does not exist/,
  ],
  'a managed property': [
    '{ books: { create: (input, _, next) => next({ ...input, version: 2 }) } }',
    /'version' does not exist/,
  ],
  'a server-made property of the wrong type': [
    "{ books: { create: (input, _, next) => next({ ...input, lentCount: '1' }) } }",
    /'string' is not assignable to type 'number'/,
  ],
  'a create without what the input requires': [
    "{ books: { create: (_input, _, next) => next({ title: 'x' }) } }",
    /not assignable/,
  ],
  'an order that the contract does not offer': [
    "{ books: { list: (query, _, next) => next({ ...query, sort: ['weight'] }) } }",
    /"weight"/,
  ],
  'a page of another shape': ['{ books: { list: async () => ({ data: [] }) } }', /not assignable/],
  'a get that answers nothing': ['{ books: { get: async () => undefined } }', /not assignable/],
  'a write of another property to a table': [
    "{ loans: { delete: async (_id, { store }, next) => { await store.books.update('x', { lent: 1 }); await next(); } } }",
    /'lent' does not exist/,
  ],
  'a filter by a property that is not there': [
    '{ loans: { delete: async (_id, { store }, next) => { await store.books.list({}, { filter: { not: { lent: 1 } } }); await next(); } } }',
    /'lent' does not exist/,
  ],
  'an operator that does not fit': [
    '{ loans: { delete: async (_id, { store }, next) => { await store.books.list({}, { filter: { lentCount: { contains: 1 } } }); await next(); } } }',
    /'contains' does not exist|not assignable/,
  ],
  'an order by what is not there': [
    "{ loans: { delete: async (_id, { store }, next) => { await store.books.list({}, { sort: ['-lent'] }); await next(); } } }",
    /"-lent"/,
  ],
  'a limit of a count': [
    '{ loans: { delete: async (_id, { store }, next) => { await store.books.count({}, { limit: 1 }); await next(); } } }',
    /'limit' does not exist/,
  ],
  'a filter through what nothing relates': [
    "{ loans: { delete: async (_id, { store }, next) => { await store.books.list({}, { filter: { reader: { name: 'x' } } }); await next(); } } }",
    /'reader' does not exist/,
  ],
  'the current row where there is none': [
    '{ books: { create: (input, { current }, next) => next(input) } }',
    /'current' does not exist/,
  ],
  'operations of a contract that has none': ['{} as const, operations: { lend: () => undefined }', /not assignable/],
};

const moduleOf = (overrides: string): string => `import type { Handlers } from './generated/handlers.ts';

export const handlers = {
  overrides: ${overrides},
} satisfies Handlers;
`;

const fileOf = (name: string): string => `${name.replaceAll(/\W/g, '-')}.ts`;

describe('overrides', () => {
  let errors: ReadonlyMap<string, readonly string[]>;

  beforeAll(async () => {
    const { files } = await compileContract('test/fixtures/library', libraryFrom(1));
    const outputs = [...files!].map(([path, text]) => [`generated/${path}`, text]);
    const cases = [...Object.entries(good), ...Object.entries(bad).map(([name, [one]]) => [name, one] as const)];
    const modules = cases.map(([name, overrides]) => [fileOf(name), moduleOf(overrides)]);
    errors = await typeErrors(Object.fromEntries([...modules, ...outputs]));
  });

  it.each(Object.keys(good))('compile with %s', (name) => {
    expect(errors.get(fileOf(name))).toEqual([]);
  });

  it.each(Object.entries(bad))('do not compile with %s, and the error is at its line', (name, [, message]) => {
    const found = errors.get(fileOf(name))!;
    expect(found.join('\n')).toMatch(message);
    expect(new Set(found.map((error) => Number.parseInt(error, 10)))).toEqual(new Set([4]));
  });
});
