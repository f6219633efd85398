import { describe, expect, it } from 'vitest';
import { applyFixes, type Fix } from '../../../src/compiler/findings/fix.ts';

const TEXT = 'type Query {\n  book: Book\n}\n';
const at = (line: number, column: number, text: string, end?: Fix['end']): Fix => ({
  file: 'schema.graphql',
  line,
  column,
  text,
  ...(end && { end }),
});

describe('fixes', () => {
  it('insert and replace, wherever they come in the list', () => {
    const fixes = [at(3, 1, '  page: Page\n'), at(2, 9, 'Novel!', { line: 2, column: 13 }), at(2, 7, '(id: ID!)')];
    expect(applyFixes(TEXT, fixes)).toBe('type Query {\n  book(id: ID!): Novel!\n  page: Page\n}\n');
  });

  it('that insert at one position all stand there', () => {
    expect(applyFixes(TEXT, [at(3, 1, '  a: A\n'), at(3, 1, '  b: B\n')])).toBe(
      'type Query {\n  book: Book\n  a: A\n  b: B\n}\n',
    );
  });

  it('that overlap are left to the next run, but for the first', () => {
    const fixes = [at(2, 3, 'novel: Novel', { line: 2, column: 13 }), at(2, 9, 'Page', { line: 2, column: 13 })];
    expect(applyFixes(TEXT, fixes)).toBe('type Query {\n  novel: Novel\n}\n');
  });

  it('remove', () => {
    expect(applyFixes(TEXT, [at(1, 13, '', { line: 2, column: 13 })])).toBe('type Query {\n}\n');
  });
});
