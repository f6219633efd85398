import { beforeAll, describe, expect, it } from 'vitest';
import { compileContract } from '../../src/compiler/compile-contract.ts';
import { libraryFrom, typeErrors } from '../support/type-check.ts';

/** The code of the custom operation, by what it shows. */
const good: Readonly<Record<string, string>> = {
  'a filter that goes to the row referred to':
    "await store.bookings.list({}, { filter: { not: { telescope: { name: 'Hale' } } } });",
  'a filter that goes to the rows that refer to one':
    'await store.telescopes.count({}, { filter: { bookings: { none: { seats: { gt: 2 } } } } });',
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
  'an order by an object': ["await store.bookings.list({}, { sort: ['target'] });", /"target"/],
  'an object compared': ["await store.bookings.list({}, { filter: { target: { gt: 'x' } } });", /'gt' does not exist/],
};

const moduleOf = (code: string): string => `import type { Handlers } from './generated/handlers.ts';

export const tally: Handlers['operations']['tally'] = async (_request, { store }) => {
  ${code}
  return { status: 200, body: { count: 0, label: 'x' } };
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
