import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const text = readFileSync(join(import.meta.dirname, '..', '..', 'CHANGELOG.md'), 'utf8');

/** Sections by version, the newest first. */
const sections = text
  .split(/^## /m)
  .slice(1)
  .map((section) => ({ version: section.split(/\s/, 1)[0]!, lines: section.trimEnd().split('\n') }));

/** The list items of a section, each joined to one line. */
const entriesIn = (lines: readonly string[]): readonly string[] =>
  lines
    .join('\n')
    .split(/^- /m)
    .slice(1)
    .map((item) =>
      item
        .split(/\n(?:\n|#)/, 1)[0]!
        .replaceAll(/\s+/g, ' ')
        .trim(),
    );

/** What is wrong with the form of an entry. */
function faultOf(entry: string): string | undefined {
  const words = entry
    .replaceAll(/\]\([^)]*\)/g, ']')
    .split(' ')
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
  if (words.length > 25) return `${words.length} words: ${entry}`;
  if (!/[.)]$/.test(entry) || /[.!?] \p{Lu}/u.test(entry.replace(/^\*\*Breaking:\*\* /, '')))
    return `not one sentence: ${entry}`;
  if (/breaking/i.test(entry) && !/^\*\*Breaking:\*\* .*\]\(docs\/upgrading\.md#/.test(entry))
    return `a breaking entry without a link to its edit: ${entry}`;
  return undefined;
}

describe('the changelog', () => {
  it('begins with a section for what is not released', () => {
    expect(sections.map(({ version }) => version).slice(0, 2)).toEqual(['Unreleased', '0.2.0']);
  });

  it('has entries of one sentence with 25 words at most, and an edit for each that breaks', () => {
    const entries = sections.flatMap(({ lines }) => entriesIn(lines));
    expect(entries.length).toBeGreaterThan(50);
    expect(entries.flatMap((entry) => faultOf(entry) ?? [])).toEqual([]);
  });

  it('tells 0.2.0 in at most 120 lines', () => {
    const { lines } = sections.find(({ version }) => version === '0.2.0')!;
    expect(lines.length).toBeLessThanOrEqual(120);
  });

  it.each([
    [`Serve ${'more '.repeat(25)}clients.`, /^26 words|^27 words/],
    ['Serve files. Read them.', /^not one sentence/],
    ['**Breaking:** Serve files ([edit](docs/reference.md#files)).', /^a breaking entry without/],
    ['This breaking change serves files ([edit](docs/upgrading.md#files)).', /^a breaking entry without/],
  ])('would refuse an entry such as %j', (entry, fault) => {
    expect(faultOf(entry)).toMatch(fault);
  });
});
