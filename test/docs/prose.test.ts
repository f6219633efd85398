import { describe, expect, it } from 'vitest';
import { pages } from './support/markdown.ts';
import { proseOf, sentencesOf, whatsIn } from './support/prose.ts';

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
    expect(whatsIn('What is refused, and why')).toEqual(['What']);
    expect(whatsIn('What does a caller see?')).toEqual([]);
    expect(sentencesOf('One of v1.2 is read. (Two.) Three: four.')).toEqual([
      'One of v1.2 is read.',
      '(Two.)',
      'Three: four.',
    ]);
  });
});
