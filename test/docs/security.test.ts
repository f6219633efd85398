import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { documentText } from '../support/documents.ts';

const root = join(import.meta.dirname, '..', '..');
const text = documentText('security.md');
const risks = text.split('\n').filter((line) => /^\| API\d/.test(line));

describe('docs/security.md', () => {
  it('has an answer and tests for each of the ten risks', () => {
    expect(risks.map((line) => Number(/API(\d+)/.exec(line)![1]))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    for (const line of risks) expect(line.split(' | ')[2]).toMatch(/`test\/\S+\.ts`/);
  });

  it('names files that are there', () => {
    const named = [...text.matchAll(/`(test\/[^`]+)`/g)].map(([, path]) => path!);
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});
