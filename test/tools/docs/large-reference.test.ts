import { expect, test } from 'vitest';
import type { ContractModel } from '../../../src/compiler/model/model.ts';
import { referenceDocument } from '../../../src/tools/docs/console/reference-document.ts';
import { rendered } from '../../../src/tools/docs/layout/markdown.ts';
import { contractOf } from '../../support/service.ts';

const ADDITIONS = { base: '/v1', server: '/v1', problemOf: () => ({ code: 'SHOWN' }), pageOf: () => 'page.html' };

test('the console of many operations has no examples of errors, which are on their pages', async () => {
  const model = (await contractOf('contracts')) as ContractModel;
  const many = { ...model, operations: [1, 2, 3, 4, 5].flatMap(() => model.operations) };
  expect(JSON.stringify(referenceDocument(model, ADDITIONS))).toContain('SHOWN');
  expect(JSON.stringify(referenceDocument(many, ADDITIONS))).not.toContain('SHOWN');
});

test('quotes in code are one character, and what HTML reads is escaped', () => {
  expect(rendered('```json JSON\n{ "a": "<b>&amp;" }\n```\n')).toContain('{ "a": "&lt;b&gt;&amp;amp;" }');
});
