import { describe, expect, it } from 'vitest';
import { textDiff } from '../../../src/authoring/sync/text-diff.ts';

describe('the difference of two texts', () => {
  it('has the changed lines with those around them', () => {
    const before = 'a\nb\nc\nd\ne\nf\ng\n';
    expect(textDiff('x.yaml', before, before.replace('d\n', 'D\nd2\n'))).toBe(
      ['--- x.yaml', '+++ x.yaml', '@@ -2,5 +2,6 @@', ' b', ' c', '-d', '+D', '+d2', ' e', ' f'].join('\n'),
    );
  });

  it('has a part for each place', () => {
    const before = 'a\nb\nc\nd\ne\nf\ng\nh\n';
    const diff = textDiff('x', before, `A\n${before.slice(2)}i\n`);
    expect(diff.match(/^@@.*$/gm)).toEqual(['@@ -1,3 +1,3 @@', '@@ -7,2 +7,3 @@']);
  });

  it('of a new file is all of it, and of equal texts nothing', () => {
    expect(textDiff('x', undefined, 'a\n')).toBe('--- /dev/null\n+++ x\n@@ -0,0 +1,1 @@\n+a');
    expect(textDiff('x', 'a\n', 'a\n')).toBe('');
  });
});
