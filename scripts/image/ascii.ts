import type { Plugin } from 'rolldown';

const WIDE = /[\u0080-\uffff]/g;
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** An escape is `\u` and four digits, in place of one character. */
const ADDED = 5;

/** Escapes characters beyond ASCII: with one of them, Node hands a whole file to V8 as two bytes a character. */
export const inAscii: Plugin = {
  name: 'in-ascii',
  generateBundle(_, files) {
    for (const file of Object.values(files)) {
      if (file.type !== 'chunk' || file.code.search(WIDE) === -1) continue;
      const map = files[`${file.fileName}.map`];
      if (map?.type === 'asset') map.source = shifted(String(map.source), file.code);
      file.code = escaped(file.code);
    }
  },
};

export const escaped = (code: string): string =>
  code.replace(WIDE, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The source map of code after its characters have been escaped (ECMA-426). */
export function shifted(map: string, code: string): string {
  const parsed = JSON.parse(map) as { mappings: string };
  const lines = code.split('\n');
  const mappings = parsed.mappings.split(';').map((segments, i) => shiftedLine(segments, lines[i] ?? ''));
  return JSON.stringify({ ...parsed, mappings: mappings.join(';') });
}

function shiftedLine(segments: string, line: string): string {
  const wide = [...line.matchAll(WIDE)].map(({ index }) => index);
  if (wide.length === 0) return segments;
  let column = 0;
  let passed = 0;
  return segments
    .split(',')
    .map((segment) => {
      const [delta, rest] = readDelta(segment);
      column += delta;
      const before = passed;
      while (passed < wide.length && wide[passed]! < column) passed += 1;
      return written(delta + ADDED * (passed - before)) + rest;
    })
    .join(',');
}

/** The first field of a segment, which is how many columns it is behind the last one, and its other fields. */
function readDelta(segment: string): [delta: number, rest: string] {
  let value = 0;
  for (let i = 0; ; i++) {
    const digit = DIGITS.indexOf(segment.charAt(i));
    value += (digit & 31) << (5 * i);
    if (digit < 32) return [value >> 1, segment.slice(i + 1)];
  }
}

function written(delta: number): string {
  let text = '';
  for (let value = delta << 1; ; value >>= 5) {
    if (value < 32) return text + DIGITS.charAt(value);
    text += DIGITS.charAt((value & 31) | 32);
  }
}
