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

/** The last cells of all tables. */
const afters = [...page.matchAll(/^\|.*\| (.*) \|$/gm)].map(([, cell]) => cell!);
const commands = afters.flatMap((cell) =>
  [...cell.matchAll(/`([^`]*\bnpm (?:run|start)[^`]*)`/g)].map(([, text]) => text!),
);

const changed = (sign: '-' | '+', { text }: Block): readonly string[] =>
  text.split('\n').filter((line) => line.startsWith(sign));

describe('an edit of docs/upgrading.md', () => {
  it('stands under each heading that has a text, in a block or a table', () => {
    const headed = page
      .split(/^#{2,} /m)
      .slice(1)
      .map((section) => section.split(/\n+/).filter((line) => line !== ''));
    const without = headed.filter(
      (lines) => lines.length > 1 && !lines.some((line) => /^```|^\| .*\bAfter/.test(line)),
    );
    expect(headed.length).toBeGreaterThan(30);
    expect(without.map(([heading]) => heading)).toEqual([]);
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

  it.each(commands)('names a command, options and settings that exist: %s', async (text) => {
    for (const statement of statementsIn(text)) expect(await faultIn(statement)).toBeUndefined();
  });

  it('names settings that exist', () => {
    const settings = afters.flatMap((cell) => [...cell.matchAll(/`([A-Z][A-Z_]+)=/g)].map(([, name]) => name!));
    expect(settings.length).toBeGreaterThan(5);
    expect(settings.filter((name) => !documentText('settings.md').includes(`| \`${name}\` |`))).toEqual([]);
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
