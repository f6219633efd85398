import { blockTokensIn, pages, textOf } from './markdown.ts';

/** Columns of a line outside tables and code. */
const MAX_COLUMNS = 140;
const MAX_WORDS = 30;

/** The sentences of a text without code and tables; a code span counts as one word. */
export interface Prose {
  readonly words: number;
  readonly sentences: readonly string[];
  /** Sentences in which "what" is a noun, once for each. */
  readonly whats: readonly string[];
  /** Sentences of more than 30 words. */
  readonly long: readonly string[];
  /** Numbers of the lines above 140 columns. */
  readonly wide: readonly number[];
  readonly lines: number;
}

export const proseOf = (page: string): Prose => proseIn(textOf(page));

export function proseIn(text: string): Prose {
  const sentences = paragraphsIn(text).flatMap(sentencesOf);
  return {
    sentences,
    words: sentences.reduce((sum, sentence) => sum + wordsOf(sentence).length, 0),
    whats: sentences.flatMap((sentence) => whatsIn(sentence).map(() => sentence)),
    long: sentences.filter((sentence) => wordsOf(sentence).length > MAX_WORDS),
    wide: wideLinesIn(text),
    lines: text.trimEnd().split('\n').length,
  };
}

const wordsOf = (sentence: string): readonly string[] => sentence.match(/[\p{L}\p{N}][\p{L}\p{N}'’./_-]*/gu) ?? [];

/** Questions ask with it. */
export const whatsIn = (sentence: string): readonly string[] =>
  sentence.endsWith('?') ? [] : (sentence.match(/\bwhat(?:ever)?\b/gi) ?? []);

/** Text of paragraphs, list items and headings outside tables. */
function paragraphsIn(text: string): readonly string[] {
  let tables = 0;
  return blockTokensIn(text).flatMap(({ type, children }) => {
    if (type === 'table_open') tables += 1;
    if (type === 'table_close') tables -= 1;
    if (type !== 'inline' || tables > 0) return [];
    return [children!.map((part) => (part.type === 'code_inline' ? 'Code' : spoken(part))).join('')];
  });
}

const spoken = ({ type, content }: { readonly type: string; readonly content: string }): string => {
  if (type === 'softbreak' || type === 'hardbreak') return ' ';
  return type === 'text' ? content : '';
};

export const sentencesOf = (paragraph: string): readonly string[] =>
  paragraph.split(/(?<=[.!?][)"'’]*)\s+(?=["'(]?\p{Lu})/u).filter((sentence) => wordsOf(sentence).length > 0);

function wideLinesIn(text: string): readonly number[] {
  const code = new Set(
    blockTokensIn(text)
      .filter(({ type }) => type === 'fence' || type === 'code_block')
      .flatMap(({ map }) => Array.from({ length: map![1] - map![0] }, (_, at) => map![0] + at)),
  );
  return text
    .split('\n')
    .flatMap((line, at) => (line.length > MAX_COLUMNS && !line.startsWith('|') && !code.has(at) ? [at + 1] : []));
}

/** `node test/docs/support/prose.ts [PAGE]`: the figures of all pages, or the sentences of one that exceed them. */
if (import.meta.main) {
  const [page] = process.argv.slice(2);
  if (page) {
    const { whats, long, wide } = proseOf(page);
    for (const sentence of whats) console.log(`what: ${sentence}\n`);
    for (const sentence of long) console.log(`${wordsOf(sentence).length} words: ${sentence}\n`);
    console.log(`wide lines: ${wide.join(', ')}`);
  } else {
    const figures = pages.map((each) => [each, proseOf(each)] as const);
    const total = (read: (prose: Prose) => number): number => figures.reduce((sum, [, prose]) => sum + read(prose), 0);
    const row = (prose: Prose) => ({
      lines: prose.lines,
      words: prose.words,
      'what / 10,000': Math.round((prose.whats.length / prose.words) * 10_000),
      '> 30 words, %': Number(((prose.long.length / prose.sentences.length) * 100).toFixed(1)),
      wide: prose.wide.length,
    });
    console.table(Object.fromEntries(figures.map(([each, prose]) => [each, row(prose)])));
    const [words, sentences] = [total((prose) => prose.words), total((prose) => prose.sentences.length)];
    console.log(`all: ${Math.round((total((prose) => prose.whats.length) / words) * 10_000)} "what" in 10,000 words,`);
    console.log(`${((total((prose) => prose.long.length) / sentences) * 100).toFixed(1)} % long sentences`);
  }
}
