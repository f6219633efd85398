import { expect, test } from 'vitest';
import { modelContract } from '../../../src/compiler/compile-contract.ts';
import type { ContractModel } from '../../../src/compiler/model/model.ts';
import { referenceDocument } from '../../../src/readers/docs/console/reference-document.ts';
import { rendered } from '../../../src/readers/docs/layout/markdown.ts';
import { parityPages } from '../../../src/readers/docs/pages/parity.ts';
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

test('facts are on one page, and each resource has its own where there are many', async () => {
  const { parity } = await modelContract('contracts');
  expect(parityPages(parity).map(({ path }) => path)).toEqual(['docs/parity.html']);
  const many = [1, 2, 3, 4, 5].flatMap(() => parity);
  const [index, ...pages] = parityPages(many);
  expect(pages.map(({ path }) => path)).toContain('docs/parity/orders.html');
  const text = String(await index!.text());
  for (const { path } of pages) expect(text).toContain(`site:${path}`);
  const facts = await Promise.all(pages.map(async (page) => String(await page.text()).match(/^\| (?!---|Aspect)/gm)));
  expect(facts.flat()).toHaveLength(many.length);
});
