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

test('a consumer of which nothing is read is an error, which names the files that were passed over', () =>
  withFolder(
    {
      'consumers/admin/notes/README.md': 'Of the admin',
      'consumers/admin/operations.yml': 'calls: []',
      'consumers/kiosk/cats.gql': '{ __typename }',
      'consumers/none/operations.yaml': 'calls: []',
      'consumers/shop/v1.graphql/products.graphql': '{ __typename }',
    },
    async (folder) => {
      const { model } = await soundContract('contracts');
      const { status, findings } = checkConsumers(readConsumers(folder), model);
      expect(status).toBe('failed');
      expect(findings.map(({ rule, message, location }) => [rule, message, location.file])).toEqual(
        [
          ['admin', 'consumers/admin/notes/README.md', 'consumers/admin/operations.yml'],
          ['kiosk', 'consumers/kiosk/cats.gql'],
          ['none', 'consumers/none/operations.yaml'],
        ].map(([name, ...files]) => [
          'consumer-empty',
          `Consumer \`consumers/${name}\` has no documents and no calls, but only ${files.map((file) => `\`${file}\``).join(', ')}.`,
          files[0],
        ]),
      );
    },
  ));

const OPEN = `openapi: 3.1.0
info: { title: Things, version: 1.0.0 }
paths:
  /things:
    post:
      operationId: makeThing
      requestBody: { content: { application/json: {} } }
      responses: { '200': { description: A thing, content: { application/json: { schema: { $ref: '#/components/schemas/Thing' } } } } }
components:
  schemas:
    Anything: true
    Thing:
      type: object
      properties:
        free: { type: object }
        any: {}
        anything: { $ref: '#/components/schemas/Anything' }
        more: { type: object, properties: { a: { type: string } }, additionalProperties: true }
        later: { type: object, properties: { a: { type: string } }, unevaluatedProperties: { type: string } }
        pair: { type: array, prefixItems: [{ type: object, properties: { a: { type: string } } }, { type: string }], items: false }
        list: { type: array }
        named: { type: object, patternProperties: { '^x-': { type: object, properties: { a: { type: string } } } }, additionalProperties: false }
        choice: { if: { required: [a] }, then: { properties: { b: { type: string } } }, else: { properties: { c: { type: string } } } }
        needs: { type: object, properties: { a: {} }, dependentSchemas: { a: { properties: { d: { type: string } } } } }
        either: { anyOf: [{ type: object, properties: { a: { type: string } } }, { type: object }] }
        closed: { type: object, properties: { a: { type: string } }, anyOf: [{ required: [a] }, { maxProperties: 0 }] }
        parts: { allOf: [{ type: object, properties: { a: { type: string } } }, { required: [a] }] }
`;

/** Whether a call fits that reads a pointer. */
const fits = (pointer: string, list: string): Promise<boolean> =>
  withFolder(
    {
      'openapi.yaml': OPEN,
      'consumers/kiosk/operations.yaml': `calls: [{ operation: makeThing, ${list}: ['${pointer}'] }]`,
    },
    async (folder) => {
      const { model } = await soundContract(folder);
      return checkConsumers(readConsumers(folder), model).status === 'passed';
    },
  );

test.each([
  '/free/a/b',
  '/any/a/0',
  '/anything/a/b',
  '/more/b/c',
  '/later/b',
  '/pair/0/a',
  '/pair/1',
  '/list/0/a',
  '/named/x-y/a',
  '/choice/b',
  '/choice/c',
  '/needs/d',
  '/either/b',
])('a call may read what the contract allows, if it does not name it: %s', async (pointer) => {
  expect(await fits(pointer, 'reads')).toBe(true);
});

test.each([
  '/gone',
  '/more/a/b',
  '/later/b/c',
  '/pair/0/b',
  '/pair/2',
  '/list/a',
  '/named/y',
  '/named/x-y/b',
  '/choice/d',
  '/closed/b',
  '/parts/b',
])('a call may not read what the contract does not have: %s', async (pointer) => {
  expect(await fits(pointer, 'reads')).toBe(false);
});

test('a call may send anything where the contract describes no body', async () => {
  expect(await fits('/a/0/b', 'sends')).toBe(true);
});
