import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { RULE_GROUPS } from '../../src/compiler/rules/texts/rule-text.ts';
import { documentText } from '../support/documents.ts';
import { type Block, blocksOf, placeOf } from './support/blocks.ts';
import { faultIn } from './support/commands.ts';
import { statementsIn } from './support/shell.ts';

const page = documentText('upgrading.md');
const edits = blocksOf('docs/upgrading.md').filter(({ language }) => language === 'diff');
const named = (word: string) =>
  edits.filter(({ words }) => words[0] === word).map((block) => [placeOf(block), block] as const);

/** One side of an edit: the lines that it keeps, and those with the sign. */
const side = (sign: '-' | '+', { text }: Block): string =>
  text
    .split('\n')
    .filter((line) => line.startsWith(sign) || line.startsWith(' '))
    .map((line) => line.slice(1))
    .join('\n');

const changed = (sign: '-' | '+', { text }: Block): readonly string[] =>
  text.split('\n').filter((line) => line.startsWith(sign));

describe('an edit of docs/upgrading.md', () => {
  it('stands under each heading, before and after', () => {
    const headed = page.split(/^#### /m).slice(1);
    expect(headed.length).toBeGreaterThan(50);
    const without = headed.filter((section) => !/^```diff|^\| .*Before.* \| After/m.test(section));
    expect(without.map((section) => section.split('\n', 1)[0])).toEqual([]);
  });

  it('changes something, and consists of lines that are kept, removed or added', () => {
    expect(
      edits.flatMap((block) => (changed('+', block).length + changed('-', block).length > 0 ? [] : placeOf(block))),
    ).toEqual([]);
    expect(edits.flatMap((block) => (/^[^ +\-\n]/m.test(block.text) ? placeOf(block) : []))).toEqual([]);
  });

  it.each(named('yaml'))('of %s is YAML on both sides', (_, block) => {
    for (const sign of ['-', '+'] as const)
      expect(parseAllDocuments(side(sign, block)).flatMap(({ errors }) => errors)).toEqual([]);
  });

  it.each(named('sh'))('of %s names commands, options and settings that exist', async (_, block) => {
    for (const statement of statementsIn(side('+', block))) {
      const isFile = /^(?:generated|migrations)\//.test(statement.text) || statement.text === 'node migrate.js';
      if (!isFile) expect(await faultIn(statement)).toBeUndefined();
    }
  });

  it('renames rules to those that exist', () => {
    const rows = [...page.matchAll(/^\| ((?:`[a-z-]+`(?:, )?)+) \| (`.*`) \|$/gm)];
    expect(rows.length).toBeGreaterThan(15);
    const ids = (cell: string) => [...cell.matchAll(/`([a-z-]+)`/g)].map(([, id]) => id!);
    const rules = new Set(Object.values(RULE_GROUPS).flatMap((group) => group.map(({ id }) => id)));
    const isRule = (id: string) => rules.has(id);
    expect(rows.flatMap(([, , after]) => ids(after!)).filter((id) => !isRule(id))).toEqual([]);
    expect(rows.flatMap(([, before]) => ids(before!)).filter(isRule)).toEqual([]);
  });
});
