import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { soundContract } from '../../../src/compiler/compile-contract.ts';
import { checkConsumers } from '../../../src/tools/consumers/check-consumers.ts';
import { readConsumers } from '../../../src/tools/consumers/read-consumers.ts';
import { withFolder } from '../../support/folder.ts';

const [, DOCUMENTED = ''] =
  /```yaml\n# contracts\/(consumers\/.*?)```/s.exec(readFileSync('docs/releases.md', 'utf8')) ?? [];
const [path = '', ...lines] = DOCUMENTED.split('\n');

test('the operations.yaml of docs/releases.md is one of the storefront', () =>
  withFolder({ [path]: lines.join('\n') }, async (folder) => {
    const registered = readConsumers(folder);
    expect(registered?.consumers.map(({ name, calls }) => [name, calls.length])).toEqual([['kiosk', 2]]);
    const { model } = await soundContract('contracts');
    expect(checkConsumers(registered, model)).toMatchObject({ status: 'passed', findings: [] });
  }));

test('documents of one consumer share fragments, and repeat names', () =>
  withFolder(
    {
      'consumers/kiosk/one.graphql': 'query Products { products(first: 1) { nodes { ...Card } } }',
      'consumers/kiosk/two.graphql': 'query Products { products(first: 2) { nodes { id } } }\n{ __typename }',
      'consumers/kiosk/card.graphql': 'fragment Card on Product { id }\nfragment Unused on Product { id }',
    },
    async (folder) => {
      const { model } = await soundContract('contracts');
      expect(checkConsumers(readConsumers(folder), model)).toMatchObject({ status: 'passed', findings: [] });
    },
  ));
