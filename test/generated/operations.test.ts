import { beforeAll, describe, expect, it } from 'vitest';
import { compileContract } from '../../src/compiler/compile-contract.ts';
import { libraryFrom, typeErrors } from '../support/type-check.ts';

const GOOD = `
    getRate: ({ currency, places, onDate }) => ({ currency, rate: '1', places: places + 1, ...(onDate && { onDate }) }),
    getMarkets: {
      each: (inputs) => inputs.map(({ most, currencies = [] }) => (most > 1 ? new ApiError('NOT_FOUND') : currencies.map((name) => ({ name, volume: 1 })))),
    },
    convert: ({ input: { from, to, amount, note = null } }) => ({ from, to: to satisfies string, amount, note }),
    removeAlert: async ({ alertId }) => {
      alertId.trim();
    },
`;

const moduleOf = (operations: string, others = ''): string => `import { ApiError } from './generated/errors.ts';
import type { Handlers } from './generated/handlers.ts';
export { ApiError };
export const handlers = {
  operations: {${operations}  },${others}
} satisfies Handlers;
`;

const bad: Readonly<Record<string, readonly [from: string, to: string, error: RegExp]>> = {
  'a parameter that may be absent': [
    '...(onDate && { onDate })',
    'onDate: onDate.trim()',
    /'onDate' is possibly 'undefined'/,
  ],
  'a property without a default': [
    'note = null } }) => ({ from, to: to satisfies string, amount, note })',
    'note } }) => ({ from, to, amount, note })',
    /undefined/,
  ],
  'a whole answer': [
    '({ from, to: to satisfies string, amount, note })',
    '({ status: 200, body: { from, to, amount, note } })',
    /not assignable/,
  ],
  'one answer for many inputs': [
    'inputs.map(({ most, currencies = [] }) => (most > 1',
    '(({ most, currencies = [] }: (typeof inputs)[0]) => (most > 1',
    /not assignable/,
  ],
  'an input that the operation lacks': [
    'getRate: ({ currency,',
    'getRate: ({ params, currency,',
    /Property 'params' does not exist/,
  ],
  'an answer where there is none': [
    'async ({ alertId }) => {\n      alertId.trim();\n    }',
    'async ({ alertId }) => alertId',
    /not assignable/,
  ],
};

const fileOf = (name: string): string => `${name.replaceAll(' ', '-')}.ts`;

describe('the types of operations', () => {
  let errors: ReadonlyMap<string, readonly string[]>;

  beforeAll(async () => {
    const { files } = await compileContract('test/fixtures/exchange', libraryFrom(1));
    const output = [...files!].map(([path, text]) => [`generated/${path}`, text]);
    const cases = Object.entries(bad).map(([name, [from, to]]) => [
      fileOf(name),
      moduleOf(GOOD.replace(from, () => to)),
    ]);
    const others = [
      ['good.ts', moduleOf(GOOD)],
      ['field.ts', moduleOf(GOOD, '\n  fields: { Mutation: { convert: () => null } },')],
    ];
    errors = await typeErrors(Object.fromEntries([...output, ...cases, ...others]));
  });

  it('accept functions that match, with defaults that are there', () => {
    expect(errors.get('good.ts')).toEqual([]);
  });

  it('fit the wiring of both protocols', () => {
    for (const [path, found] of errors) if (path.startsWith('generated/')) expect([path, found]).toEqual([path, []]);
  });

  it.each(Object.entries(bad))('refuse %s', (name, [from, , error]) => {
    expect(GOOD).toContain(from);
    expect(errors.get(fileOf(name))!.join('\n')).toMatch(error);
  });

  it('refuse code of a field that its operation answers', () => {
    expect(errors.get('field.ts')!.join('\n')).toMatch(/not assignable to type 'never'/);
  });
});
