import { expect, it } from 'vitest';
import { buildModel } from '../../../../src/compiler/build-model.ts';
import type { Modelled } from '../../../../src/compiler/model/model.ts';
import { readContract } from '../../../../src/compiler/read/read-contract.ts';
import { type Edit, editedFolder } from '../../../support/edited-contract.ts';

const bounded = (maximum: number, exact = '\n        totalCountIsExact: { type: boolean }'): Edit => [
  'openapi.yaml',
  'totalCount: { type: integer, minimum: 0 }',
  `totalCount: { type: integer, minimum: 0, maximum: ${maximum} }${exact}`,
];
const told: Edit = ['library.graphql', 'totalCount: Int!', 'totalCount: Int!\n  totalCountIsExact: Boolean!'];

const modelled = (...edits: readonly Edit[]): Promise<Modelled> =>
  editedFolder('library', edits, async (folder) => {
    const all = buildModel(await readContract(folder));
    return { ...all, findings: all.findings.filter(({ severity }) => severity === 'error') };
  });
const messages = async (...edits: readonly Edit[]) => {
  const { findings } = await modelled(...edits);
  return [...new Set(findings.map(({ rule, message }) => `${rule}: ${message}`))];
};

it('a bounded count is in words in the SDL that is served', async () => {
  const { model, findings } = await modelled(bounded(1_234), told);
  expect(findings).toEqual([]);
  expect(model!.resources.map(({ list }) => list?.countBound)).toEqual(model!.resources.map(() => 1_234));
  expect(model!.graphql!.sdl).toMatch(
    /"""\s+Counted up to 1,234; where there are more, `totalCountIsExact` is false\.\s+"""\s+totalCount: Int!/,
  );
});

it('both protocols say whether a count is exact, or neither', async () => {
  const { findings } = await modelled(bounded(10));
  expect(new Set(findings.map(({ rule }) => rule))).toEqual(new Set(['parity-total-count-exact']));
  expect(findings.every(({ fix }) => fix?.text.includes('totalCountIsExact: Boolean!'))).toBe(true);
  expect((await modelled(told)).findings.map(({ rule }) => rule)).toContain('parity-total-count-exact');
});

it('a maximum that every `Int` keeps to bounds nothing', async () => {
  const { model } = await modelled(bounded(2 ** 31 - 1, ''));
  expect(model!.resources[0]!.list).not.toHaveProperty('countBound');
});

it.each([
  [
    'no entries at all',
    bounded(0),
    '`AuthorPage.page.totalCount` is counted up to 0, which is not a number of entries.',
  ],
  [
    'a boolean without a bound',
    bounded(2 ** 31),
    '`AuthorPage.page.totalCountIsExact` would always be true: nothing bounds how far entries are counted.',
  ],
  [
    'a text in the place of the boolean',
    bounded(10, '\n        totalCountIsExact: { type: string }'),
    '`AuthorPage.page.totalCountIsExact` must be an optional boolean; it is present when `totalCount` is.',
  ],
])('lint refuses %s', async (_what, edit, message) => {
  expect(await messages(edit, told)).toContain(`page-shape: ${message}`);
});
