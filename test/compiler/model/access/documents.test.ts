import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { buildModel } from '../../../../src/compiler/build-model.ts';
import { CONDITION_WORDS } from '../../../../src/compiler/model/access/read-condition.ts';
import { readContract } from '../../../../src/compiler/read/read-contract.ts';
import { editedFolder } from '../../../support/edited-contract.ts';

const text = readFileSync(join(import.meta.dirname, '../../../../docs/reference/access.md'), 'utf8');
const between = (from: string, to: string): string => text.slice(text.indexOf(from), text.indexOf(to));
const section = between('## `x-access`, on the schema', '## `x-access`, on a property');
const examplesIn = (part: string) => [...part.matchAll(/```yaml\n(.*?)```/gs)].map(([, yaml]) => yaml!);
const examples = examplesIn(section);

/** The rules of the practice's patients, to be replaced. */
const RULES = /^ {6}x-access:\n(?: {8}.*\n)+/gm;

it('has examples in docs/reference/access.md', () => {
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

/** The salary of the payroll's employees. */
const SALARY = /^ {8}salary:\n(?: {10}.*\n)+/gm;

it('takes the example of a property', async () => {
  const [yaml, ...others] = examplesIn(between('## `x-access`, on a property', '## `x-tenant`'));
  expect(others).toEqual([]);
  const edit = ['openapi.yaml', SALARY, yaml!.replaceAll(/^(?=.)/gm, '        ').replaceAll('$', '$$$$')] as const;
  const { model, findings } = await editedFolder('payroll', [edit], async (folder) =>
    buildModel(await readContract(folder)),
  );
  expect(findings).toEqual([]);
  const { properties } = model!.resources.find(({ key }) => key === 'employees')!;
  expect(properties.find(({ name }) => name === 'salary')!.access!.read).toHaveLength(2);
});

it('names every word of conditions in docs/reference/access.md', () => {
  const words = CONDITION_WORDS.filter((word) => !section.includes(word));
  expect(words).toEqual([]);
});
