import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { RULE_GROUPS, rulePage, rulesMarkdown, ruleTextOf } from '../../../../src/compiler/rules/texts/rule-text.ts';
import { brokenRules } from '../../../support/invalid-contracts.ts';

const texts = Object.values(RULE_GROUPS).flat();
const ids = texts.map(({ id }) => id);
const page = await readFile('docs/rules.md', 'utf8');

describe('the text of a rule', () => {
  test('exists for every rule', () => {
    const rules = [...brokenRules()];
    expect(rules.filter((rule) => !ids.includes(rule))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('states the requirement in a sentence, and how to meet it', () => {
    for (const { id, summary, advice } of texts)
      for (const part of [summary, advice]) expect(part, id).toMatch(/^[A-Z0-9`].*[.]$/s);
  });

  test('is on the page that findings lead to', () => {
    expect(page).toContain(`<!-- rules -->\n\n${rulesMarkdown()}\n<!-- /rules -->`);
    for (const id of ids) {
      const anchor = rulePage(id).replace(/^docs\/rules\.md#/, '');
      const headings = [...page.matchAll(/^### (.+)$/gm)].map(([, heading]) =>
        heading!.toLowerCase().replace(/[^\w-]/g, ''),
      );
      expect(headings.filter((heading) => heading === anchor)).toHaveLength(1);
    }
  });

  test('has the page of Redocly for rules of Redocly', () => {
    expect(ruleTextOf('redocly/no-unused-components')).toMatchObject({
      summary: 'No unused components.',
      uri: 'https://redocly.com/docs/cli/rules/oas/no-unused-components',
    });
  });
});
