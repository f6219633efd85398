import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { buildModel } from '../../../src/compiler/build-model.ts';
import { readContract } from '../../../src/compiler/read/read-contract.ts';
import { CONDITION_WORDS } from '../../../src/compiler/row-access/read-condition.ts';
import { editedFolder } from '../../support/edited-contract.ts';

const text = readFileSync(join(import.meta.dirname, '../../../docs/contract.md'), 'utf8');
const section = text.slice(text.indexOf('### `x-access`'), text.indexOf('### `x-immutable`'));
const examples = [...section.matchAll(/```yaml\n(.*?)```/gs)].map(([, yaml]) => yaml!);

/** The rules of the practice's patients, to be replaced. */
const RULES = /^ {6}x-access:\n(?: {8}.*\n)+/gm;

it('has examples in docs/contract.md', () => {
  expect(examples.length).toBeGreaterThanOrEqual(2);
});

it.each(examples)('takes the example %#', async (yaml) => {
  const indented = yaml.replaceAll(/^/gm, '      ').trimEnd();
  // `$` in a replacement has a meaning of its own.
  const edit = ['openapi.yaml', RULES, `${indented.replaceAll('$', '$$$$')}\n`] as const;
  const { model, findings } = await editedFolder('practice', [edit], async (folder) =>
    buildModel(await readContract(folder)),
  );
  expect(findings).toEqual([]);
  const { rowAccess } = model!.resources.find(({ key }) => key === 'patients')!;
  expect(Object.keys(rowAccess!)).toEqual([...yaml.matchAll(/^ {2}(\w+):/gm)].map(([, action]) => action));
});

it('names every word of conditions in docs/contract.md', () => {
  const words = CONDITION_WORDS.filter((word) => !section.includes(word));
  expect(words).toEqual([]);
});
