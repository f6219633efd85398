import { describe, expect, it } from 'vitest';
import { pages } from './support/markdown.ts';
import { proseIn, proseOf } from './support/prose.ts';

interface Bars {
  /** "what" as a noun in 10,000 words. */
  readonly whats: number;
  /** Sentences of more than 30 words, in percent. */
  readonly long: number;
  /** Lines above 140 columns outside tables and code. */
  readonly wide: number;
  readonly lines: number;
}

const BARS: Bars = { whats: 25, long: 4, wide: 0, lines: 500 };

/** Bars of single pages. */
const OWN_BARS: Readonly<Record<string, Partial<Bars>>> = {
  'README.md': { lines: 180 },
  // It is generated, and looked up by anchor.
  'docs/rules.md': { lines: Number.POSITIVE_INFINITY },
};

/** What a short page may have at least: a rate says nothing about it. */
const FEW = 2;

const barsOf = (page: string): Bars => ({ ...BARS, ...OWN_BARS[page] });

describe('prose', () => {
  it.each(pages)('of %s reads well', (page) => {
    const { whats, long, wide, lines, words, sentences } = proseOf(page);
    const bars = barsOf(page);
    expect(words).toBeGreaterThan(20);
    if (whats.length > FEW && whats.length > (words * bars.whats) / 10_000)
      expect(whats, '"what" as a noun').toEqual([]);
    if (long.length > FEW && long.length > (sentences.length * bars.long) / 100)
      expect(long, 'long sentences').toEqual([]);
    if (wide.length > bars.wide) expect(wide, 'lines above 140 columns').toEqual([]);
    expect(lines).toBeLessThanOrEqual(bars.lines);
  });

  it('is counted without questions, code and tables', () => {
    const long = `Long ${'word '.repeat(30)}end.`;
    const wide = 'x'.repeat(141);
    const text = [
      '# What is refused',
      `What is it? ${long} One of v1.2 is read. (Two.) \`what\` is a span.`,
      `| what |\n|---|\n| ${long} ${wide} |`,
      `\`\`\`\nwhat ${wide}\n\`\`\``,
      wide,
    ].join('\n\n');
    expect(proseIn(text)).toEqual({
      sentences: ['What is refused', 'What is it?', long, 'One of v1.2 is read.', '(Two.)', 'Code is a span.', wide],
      words: 49,
      whats: ['What is refused'],
      long: [long],
      wide: [3, 13],
      lines: 13,
    });
  });
});
