import { SourceMap } from 'node:module';
import { describe, expect, it } from 'vitest';
import { escaped, shifted } from '../../../scripts/image/ascii.ts';

/** Maps the columns 0, 8 and 20 of the first line, and 2 and 12 of the second, to lines of their own. */
const MAP = { version: 3, sources: ['a.ts'], names: [], mappings: 'AAAA,QACA,YACA;EACA,UACA' };
const CODE = 'const a="„“‚‘ é",b=1;c;\nx="😀",y=2;z;';

describe('code in ASCII', () => {
  it('has the values that it had', () => {
    const text = '`„é😀`+/[„-‟]/u.test("„")';
    expect(escaped(text)).not.toMatch(/[^\0-\x7f]/);
    expect(new Function(`return ${escaped(text)}`)()).toBe('„é😀true');
  });

  it('is mapped to the places where it was', () => {
    const code = escaped(CODE).split('\n');
    const map = new SourceMap(JSON.parse(shifted(JSON.stringify(MAP), CODE)));
    const lineAt = (line: number, column: number) =>
      (map.findEntry(line, column) as { originalLine: number }).originalLine;
    expect(code[0]!.indexOf('"')).toBe(8);
    expect([lineAt(0, 0), lineAt(0, 8), lineAt(0, 44), lineAt(0, 45)]).toEqual([0, 1, 1, 2]);
    expect([lineAt(1, 2), lineAt(1, 21), lineAt(1, 22)]).toEqual([3, 3, 4]);
  });
});
