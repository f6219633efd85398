import { describe, expect, it } from 'vitest';
import { withConsistentFixes } from '../../../src/compiler/findings/consistent-fixes.ts';
import type { Finding } from '../../../src/compiler/findings/finding.ts';
import type { Fix } from '../../../src/compiler/findings/fix.ts';

const fix = (line: number, column: number, text: string, end?: Fix['end']): Fix => ({
  file: 'schema.graphql',
  line,
  column,
  text,
  ...(end && { end }),
});

/** The texts of the fixes that stay. */
const kept = (...fixes: readonly Fix[]): readonly string[] =>
  withConsistentFixes(
    fixes.map(
      (one): Finding => ({
        rule: 'parity-field',
        severity: 'error',
        message: '',
        hint: '',
        location: { ...one, pointer: '' },
        fix: one,
      }),
    ),
  ).flatMap((finding) => finding.fix?.text ?? []);

const end = { line: 2, column: 13 };

describe('fixes that are shown', () => {
  it('do not write two things in one place', () => {
    expect(kept(fix(2, 9, 'Int', end), fix(2, 9, 'String', end), fix(4, 1, '  page: Page\n'))).toEqual([
      '  page: Page\n',
    ]);
  });

  it('do not add one member in two ways', () => {
    expect(kept(fix(3, 1, '  a: Int\n'), fix(3, 1, '  a: String\n'), fix(3, 1, '  b: Int\n'))).toEqual(['  b: Int\n']);
  });

  it('are those that are applied: of two that overlap, the first', () => {
    expect(kept(fix(2, 9, 'Page', end), fix(2, 3, 'novel: Novel', end))).toEqual(['novel: Novel']);
  });

  it('may be the same for two findings', () => {
    expect(kept(fix(3, 1, '  a: Int\n'), fix(3, 1, '  a: Int\n'))).toHaveLength(2);
  });

  it('keep apart what is beside each other, and in other files', () => {
    const others = [fix(2, 13, '!'), { ...fix(2, 9, 'Page', end), file: 'other.graphql' }];
    expect(kept(fix(2, 9, 'Int', end), ...others)).toHaveLength(3);
  });
});
