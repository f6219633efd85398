import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../src/compiler/findings/finding.ts';
import { formatFindings } from '../../../src/compiler/findings/report.ts';

const finding = (file: string, line: number, more: Partial<Finding> = {}): Finding => ({
  rule: 'some-rule',
  severity: 'error',
  message: `Fault in ${file}.`,
  hint: `Mend ${file}.`,
  location: { file, line, column: 3, pointer: '/a/b' },
  ...more,
});

describe('formatFindings', () => {
  it('has place, severity, rule, message, pointer and hint, by file and line', () => {
    const text = formatFindings([
      finding('b.yaml', 1, { severity: 'warning' }),
      finding('a.yaml', 10, { hint: 'Write this.' }),
      finding('a.yaml', 9),
    ]);
    expect(text.match(/^\S+:\d+:\d+.*/gm)).toEqual([
      'a.yaml:9:3  error  some-rule',
      'a.yaml:10:3  error  some-rule',
      'b.yaml:1:3  warning  some-rule',
    ]);
    expect(text).toContain('  Fault in a.yaml.\n');
    expect(text).toContain('  at /a/b');
    expect(text).toContain('  hint: Write this.');
    expect(text).toMatch(/\n2 errors, 1 warning$/);
  });

  it('counts the warnings beyond those shown by rule, and shows every error', () => {
    const warnings = ['a', 'a', 'b'].map((rule, n) => finding('a.yaml', n + 1, { rule, severity: 'warning' }));
    const text = formatFindings([...warnings, finding('z.yaml', 1)], { maxWarnings: 1 });
    expect(text).toContain('and 2 more warnings (all with --all): a 1, b 1');
    expect(text).toContain('z.yaml:1:3  error');
  });

  it('counts no summary among the warnings that it leaves out before another', () => {
    const rules = ['a', 'resource-fit'];
    const warnings = rules.map((rule, n) => finding('a.yaml', n + 1, { rule, severity: 'warning' }));
    expect(formatFindings(warnings, { maxWarnings: 1 })).toContain('and 1 more warning (all with --all): a 1');
  });

  it('shows the lines that are meant, if it can read them', () => {
    const read = (file: string) => (file === 'a.yaml' ? 'one\ntwo\nthree\nfour\nfive\nsix\n' : undefined);
    const text = formatFindings([finding('a.yaml', 4), finding('b.yaml', 4)], { read });
    expect(text).toContain(
      ['    2 | two', '    3 | three', '  > 4 | four', '      |   ^', '    5 | five', '    6 | six', '  at /a/b'].join(
        '\n',
      ),
    );
    expect(text.match(/ \| /g)).toHaveLength(6);
    expect(formatFindings([finding('a.yaml', 1)], { read })).toContain('  > 1 | one\n      |   ^\n    2 | two\n');
  });

  it('has colour only when asked', () => {
    expect(formatFindings([finding('a.yaml', 1)])).not.toContain('\u001b');
    expect(formatFindings([finding('a.yaml', 1)], { colour: true })).toContain('\u001b');
  });
});
