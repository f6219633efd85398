import { expect, it } from 'vitest';
import { modelContract } from '../../../../src/compiler/compile-contract.ts';
import { type Edit, editedFolder } from '../../../support/edited-contract.ts';

const UNIQUE: Edit = [
  'openapi.yaml',
  /(required: \[name, published, clinicId\]\n)( {6}x-access:)/g,
  '$1      x-unique: [[name]]\n$2',
];
const writers = (action: string, alternative: string): Edit => [
  'openapi.yaml',
  new RegExp(`( {8}${action}: )\\[\\{ where: \\{ clinic: .*\\]`, 'g'),
  `$1[${alternative}]`,
];
const warned = (edits: readonly Edit[]): Promise<boolean> =>
  editedFolder('practice', [UNIQUE, ...edits], async (folder) => {
    const { findings } = await modelContract(folder);
    return findings.some(({ rule }) => rule === 'access-hidden-key');
  });

it('A key that hidden rows have is warned of where others may write than those who read every row.', async () => {
  const admin = '{ scope: "patients:admin" }';
  expect(await warned([])).toBe(true);
  expect(await warned([writers('create', admin)])).toBe(true);
  expect(await warned([writers('create', admin), writers('update', '{ where: { published: true } }')])).toBe(true);
  expect(await warned([writers('create', admin), writers('update', admin)])).toBe(false);
});
