import { beforeAll, describe, expect, it } from 'vitest';
import { compileContract } from '../../src/compiler/compile-contract.ts';
import { libraryFrom, typeErrors } from '../support/type-check.ts';

/** The code of the custom operation, by what it shows. */
const good: Readonly<Record<string, string>> = {
  'a filter that goes to the row referred to':
    "await store.bookings.list({}, { filter: { not: { telescope: { name: 'Hale' } } } });",
  'a filter that goes to the rows that refer to one':
    'await store.telescopes.count({}, { filter: { bookings: { none: { seats: { gt: 2 } } } } });',
  'a code that the operation declares': "if (!refuse) throw new Error(); refuse('TELESCOPE_CLOSED', { detail: 'x' });",
  'a code that the action declares':
    "const own = { bookings: { create: (input, { refuse }, next) => (input.seats > 2 ? refuse('TELESCOPE_CLOSED') : next(input)) } } satisfies Handlers['overrides']; own;",
  'a code for a route':
    "const more = { routes: { createBooking: (request, { refuse }, next) => (request.body.seats > 2 ? refuse('TELESCOPE_CLOSED') : next(request)) }  } satisfies Partial<Handlers>; more;",
  'an order by a number':
    "for await (const { seats } of store.bookings.each({}, { sort: ['-seats'] })) seats.toFixed();",
};

const bad: Readonly<Record<string, readonly [string, RegExp]>> = {
  'a property that the row referred to lacks': [
    'await store.bookings.list({}, { filter: { telescope: { seats: 2 } } });',
    /'seats' does not exist/,
  ],
  'rows that nothing relates': [
    'await store.bookings.list({}, { filter: { observer: { seats: 2 } } });',
    /'observer' does not exist/,
  ],
  'a code that the operation does not declare': ["refuse('TELESCOPE_LOST');", /"TELESCOPE_LOST"/],
  'a code that the action does not declare': [
    "const own: Handlers['overrides'] = { bookings: { update: (patch, { refuse }, next) => (patch.seats ? refuse('TELESCOPE_CLOSED') : next(patch)) } }; own;",
    /"TELESCOPE_CLOSED"/,
  ],
  'a code that no route declares': [
    "const routes: Handlers['routes'] = { getBooking: (_request, { refuse }) => refuse('TELESCOPE_CLOSED') }; routes;",
    /"TELESCOPE_CLOSED"/,
  ],
  'an order by an object': ["await store.bookings.list({}, { sort: ['target'] });", /"target"/],
  'an object compared': ["await store.bookings.list({}, { filter: { target: { gt: 'x' } } });", /'gt' does not exist/],
};

const moduleOf = (code: string): string => `import type { Handlers } from './generated/handlers.ts';

export const tally: Handlers['operations']['tally'] = async (_request, { store, refuse }) => {
  ${code}
  store; refuse;
  return { count: 0, label: 'x' };
};
`;

const fileOf = (name: string): string => `${name.replaceAll(/\W/g, '-')}.ts`;

describe('code beside the contract', () => {
  let errors: ReadonlyMap<string, readonly string[]>;

  beforeAll(async () => {
    const { files } = await compileContract('test/fixtures/observatory', libraryFrom(1));
    const outputs = [...files!].map(([path, text]) => [`generated/${path}`, text]);
    const cases = [...Object.entries(good), ...Object.entries(bad).map(([name, [one]]) => [name, one] as const)];
    const modules = cases.map(([name, code]) => [fileOf(name), moduleOf(code)]);
    errors = await typeErrors(Object.fromEntries([...modules, ...outputs]));
  });

  it.each(Object.keys(good))('compiles with %s', (name) => {
    expect(errors.get(fileOf(name))).toEqual([]);
  });

  it.each(Object.entries(bad))('does not compile with %s, and the error is at its line', (name, [, message]) => {
    const found = errors.get(fileOf(name))!;
    expect(found.join('\n')).toMatch(message);
    expect(new Set(found.map((error) => Number.parseInt(error, 10)))).toEqual(new Set([4]));
  });
});
