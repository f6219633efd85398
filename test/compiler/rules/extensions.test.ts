import { expect, it } from 'vitest';
import { modelContract } from '../../../src/compiler/compile-contract.ts';
import { type Edit, editedFolder } from '../../support/edited-contract.ts';

const errorsOf = (...edit: Edit) =>
  editedFolder('conservatory', [edit], async (folder) => {
    const { findings } = await modelContract(folder);
    return findings.filter(({ severity }) => severity === 'error');
  });

it.each([
  ['the document', 'x-tenant:', 'x-tennant:', '/x-tennant', 'x-tenant'],
  ['`info`', 'title: Conservatory', 'title: Conservatory, x-namming: strict', '/info/x-namming', 'x-naming'],
  [
    'a parameter',
    '- { name: phone, in: query,',
    '- { name: phone, in: query, x-paritty: absent,',
    '/paths/~1students/get/parameters/5/x-paritty',
    'x-parity',
  ],
])('a misspelt extension of %s is told with the one that is meant', async (_place, from, to, pointer, meant) => {
  const found = (await errorsOf('openapi.yaml', from, to)).find(({ rule }) => rule === 'extension-unknown');
  expect(found).toMatchObject({ hint: `Did you mean \`${meant}\`?`, location: { pointer } });
});

it('extensions of others stand beside those of the conventions', async () => {
  const logo = 'title: Conservatory, x-logo: { url: /logo.svg }, x-audience: partners';
  expect(await errorsOf('openapi.yaml', 'title: Conservatory', logo)).toEqual([]);
});

it('a unique set that is none is told as such', async () => {
  const [fault] = await errorsOf('openapi.yaml', 'x-unique: [ [ teacherId, title ] ]', 'x-unique: [null]');
  expect(fault).toMatchObject({
    rule: 'extension-value',
    location: { pointer: '/components/schemas/Course/x-unique' },
  });
});
