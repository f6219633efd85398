import { beforeAll, describe, expect, it } from 'vitest';
import { compileContract } from '../../src/compiler/compile-contract.ts';
import { libraryFrom, typeErrors } from '../support/type-check.ts';

/** Where a case stands: in the override of `create`, in the handler of `quote`, or in place of a whole part. */
interface Case {
  readonly create?: string;
  readonly quote?: string;
  readonly overrides?: string;
  readonly operations?: string;
  readonly security?: string;
}

const GOOD_CREATE =
  'async (input, { store, now }, next) => { await store.papers.list({ readers: 1 }); return next({ ...input, readers: now.getDay() }); }';
const GOOD_QUOTE =
  "async ({ paperId, language, input }, { store, reply }) => { const paper = await store.papers.get(paperId); if (!paper) throw new ApiError('NOT_FOUND'); return reply(language === 'DE' ? { status: 202 } : { status: 200, body: { text: paper.title.slice(0, input.words) } }); }";
const GOOD_SECURITY =
  "({ headers }) => (headers['x-kiosk-key'] ? { subject: 'kiosk', scopes: new Set<string>(), expiresAtMs: 0 } : undefined)";

function moduleOf({
  create = GOOD_CREATE,
  quote = GOOD_QUOTE,
  overrides = `{ papers: { create: ${create} } }`,
  operations = `{ quote: ${quote} }`,
  security = `{ kioskKey: ${GOOD_SECURITY} }`,
}: Case): string {
  return `import { ApiError } from './generated/errors.ts';
import type { Handlers } from './generated/handlers.ts';
export { ApiError };
export const handlers = {
  overrides: ${overrides},
  operations: ${operations},
  security: ${security},
} satisfies Handlers;
`;
}

/** The line of `moduleOf` that a case changes, and where its error must be. */
const lineOf = ({ operations, quote, security }: Case): number =>
  security !== undefined ? 7 : operations !== undefined || quote !== undefined ? 6 : 5;

const BARE = `import type { Handlers } from './generated/handlers.ts';

export const handlers: Handlers = {};
`;

const bad: Readonly<Record<string, readonly [Case, RegExp]>> = {
  'a missing operation': [{ operations: '{}' }, /Property 'quote' is missing/],
  'an extra operation': [{ operations: `{ quote: ${GOOD_QUOTE}, more: ${GOOD_QUOTE} }` }, /'more' does not exist/],
  'a default action as an operation': [
    { operations: `{ quote: ${GOOD_QUOTE}, getPaper: ${GOOD_QUOTE} }` },
    /'getPaper' does not exist/,
  ],
  'an unknown resource': [{ overrides: '{ pages: {} }' }, /'pages' does not exist/],
  'an undeclared action': [{ overrides: '{ papers: { delete: async () => {} } }' }, /'delete' does not exist/],
  'an unknown security handler': [{ security: `{ kioskKey: ${GOOD_SECURITY}, door: ${GOOD_SECURITY} }` }, /'door'/],
  'a missing security handler': [{ security: '{}' }, /Property 'kioskKey' is missing/],
  'a parameter that the path lacks': [
    { quote: 'async ({ id }, { reply }) => reply({ status: id })' },
    /Property 'id' does not exist/,
  ],
  'a value that the query cannot have': [
    { quote: "async ({ language }, { reply }) => { language === 'FR'; return reply({ status: 202 }); }" },
    /no overlap/,
  ],
  'a property that the body lacks': [
    { quote: 'async ({ input }, { reply }) => { input.letters; return reply({ status: 202 }); }' },
    /Property 'letters' does not exist/,
  ],
  'an undeclared status': [{ quote: 'async (_, { reply }) => reply({ status: 418 })' }, /418/],
  'a body of another shape': [
    { quote: 'async (_, { reply }) => reply({ status: 200, body: { text: 5 } })' },
    /Type 'number' is not assignable to type 'string'/,
  ],
  'a status without its body': [{ quote: 'async (_, { reply }) => reply({ status: 200 })' }, /not assignable/],
  'the body of one of several successes': [{ quote: "async () => ({ text: 'x' })" }, /not assignable/],
  'a whole answer, as HTTP has it': [{ quote: 'async () => ({ status: 202 as const })' }, /not assignable/],
  'one answer for each of many': [
    { quote: '{ each: async (_, { reply }) => reply({ status: 202 }) }' },
    /not assignable/,
  ],
  'an override that answers another shape': [{ create: "async () => ({ title: 'x' })" }, /not assignable/],
  'an override that passes on what no input has': [
    { create: 'async (input, _context, next) => next({ ...input, pages: 1 })' },
    /'pages' does not exist/,
  ],
  'an override that passes on another type': [
    { create: "async (input, _context, next) => next({ ...input, readers: '1' })" },
    /Type 'string' is not assignable to type 'number'/,
  ],
  'an unknown table': [
    { create: "async (input, { store }, next) => { await store.pages.get('x'); return next(input); }" },
    /Property 'pages' does not exist/,
  ],
  'an unknown error code': [{ create: "async () => { throw new ApiError('LOST'); }" }, /"LOST"/],
};

describe('handlers', () => {
  let errors: ReadonlyMap<string, readonly string[]>;

  beforeAll(async () => {
    const { files } = await compileContract('test/fixtures/custom', libraryFrom(1));
    const outputs = [...files!].map(([path, text]) => [`generated/${path}`, text]);
    const cases = Object.entries(bad).map(([name, [one]]) => [fileOf(name), moduleOf(one)]);
    const others = [
      ['good.ts', moduleOf({})],
      ['bare.ts', BARE],
    ];
    errors = await typeErrors(Object.fromEntries([...others, ...cases, ...outputs]));
  });

  it('compile when they match the contract', () => {
    expect(errors.get('good.ts')).toEqual([]);
  });

  it.each(Object.entries(bad))('do not compile with %s, and the error is at its line', (name, [one, message]) => {
    const found = errors.get(fileOf(name))!;
    expect(found.join('\n')).toMatch(message);
    expect(new Set(found.map((error) => Number.parseInt(error, 10)))).toEqual(new Set([lineOf(one)]));
  });

  it('do not compile without a part that the contract requires', () => {
    expect(errors.get('bare.ts')!.join()).toMatch(/^3: .+ missing .+ operations, security/);
  });
});

const fileOf = (name: string): string => `${name.replaceAll(' ', '-')}.ts`;
