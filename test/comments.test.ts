import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');

/** Turns of phrase that read as translated, and how many lines may have them: there is a sentence for which each is right, but few. */
const BARS: readonly (readonly [name: string, phrase: RegExp, most: number])[] = [
  ['"is no" and "are none"', /\b(?:is|are) (?:no|none)\b/i, 20],
  ['"tells" and "told"', /\b(?:tells?|told|telling)\b/i, 0],
  [
    '"who" without a noun before it',
    /\bwho asks\b|\b(?:for|to|as) who\b|(?:^|[.:;] )who (?:may not|has no|does not)\b/i,
    0,
  ],
];

let comments: readonly (readonly [place: string, text: string])[];

beforeAll(async () => {
  const files: string[] = [];
  for await (const path of glob('src/**/*.ts', { cwd: root })) files.push(path.replaceAll('\\', '/'));
  comments = files.sort().flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, at) => {
        const [, text] = /^\s*(?:\/\/|\/\*\*?|\*)\s*(.*)/.exec(line) ?? [];
        return text === undefined ? [] : [[`${file}:${at + 1}`, text] as const];
      }),
  );
});

describe('comments of the source', () => {
  it.each(BARS)('seldom have %s', (name, phrase, most) => {
    const found = comments.filter(([, text]) => phrase.test(text));
    console.log(`${found.length} lines with ${name}`);
    expect(found.length, found.map((line) => line.join(' ')).join('\n')).toBeLessThanOrEqual(most);
  });
});
