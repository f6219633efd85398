import { expect, it } from 'vitest';
import { modelContract } from '../../../../src/compiler/compile-contract.ts';
import { type Edit, editedFolder } from '../../../support/edited-contract.ts';

const LIST = 'operationId: listCats\n';
const withParameter = (parameter: string): Edit => [
  'openapi.yaml',
  `${LIST}      summary: List cats\n      tags: [cats]\n      parameters:\n`,
  `${LIST}      summary: List cats\n      tags: [cats]\n      parameters:\n        - { ${parameter}, schema: { type: string } }\n`,
];
const errors = (parameter: string) =>
  editedFolder('cats', [withParameter(parameter)], async (folder) =>
    (await modelContract(folder)).findings.flatMap(({ severity, rule, message }) =>
      severity === 'error' ? [`${rule}: ${message}`] : [],
    ),
  );

it.each([
  ['header', 'X-Desk', 'x-desk'],
  ['cookie', 'sid', 'sid'],
])('a %s that an action requires differs from its field, which has no argument for it', async (place, name, input) => {
  expect(await errors(`name: ${name}, in: ${place}, required: true`)).toEqual([
    `parity-argument: \`Query.cats(${input}:)\`: REST says \`${name}, required\`, GraphQL does not have it.`,
  ]);
  expect(await errors(`name: ${name}, in: ${place}`)).toEqual([]);
  expect(
    await errors(
      `name: ${name}, in: ${place}, required: true, x-parity: { graphql: absent, because: A gateway sends it. }`,
    ),
  ).toEqual([]);
});

it.each(['If-Match', 'idempotency-key', 'Accept'])('a required %s has its counterpart in GraphQL', async (name) => {
  expect(await errors(`name: ${name}, in: header, required: true`)).toEqual([]);
});
