import { once } from './once.ts';

/** The classes of POSIX, as they stand inside brackets. */
const POSIX: Readonly<Record<string, string>> = {
  alnum: 'A-Za-z0-9',
  alpha: 'A-Za-z',
  blank: ' \\t',
  cntrl: '\\x00-\\x1f\\x7f',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-\\/:-@\\[-`\\{-~',
  space: '\\t-\\r ',
  upper: 'A-Z',
  word: '\\w',
  xdigit: '0-9A-Fa-f',
};
const ESCAPES: Readonly<Record<string, string>> = { '\\a': '\\x07', '\\e': '\\x1b', '\\_': '_' };
const ANCHORS: Readonly<Record<string, string>> = { '\\A': '^', '\\Z': '$', '\\z': '$' };
/** The flag `u` refuses it. */
const NEVER = '\\!';

const ESCAPE = String.raw`\\[pP](?:[A-Z]|\{[^}]*\})|\\k<\w+>|\\[\s\S]`;
const BRACKETS = String.raw`\[\^?\]?(?:\[:\w+:\]|\\[\s\S]|[^\]\\])*\]`;
const QUANTIFIER = String.raw`(?:[*+?]|\{\d+(?:,\d*)?\})[+?]?`;
const PIECE = new RegExp(String.raw`${ESCAPE}|${BRACKETS}|${QUANTIFIER}|\(\?P=\w+\)|\((?:\?P<|\?>)?|[\s\S]`, 'gu');
const IN_BRACKETS = new RegExp(String.raw`${ESCAPE}|\[:\w+:\]|[\s\S]`, 'gu');
const IS_POSSESSIVE = /^(?:[*+?]|\{\d.*\})\+$/;

const known = new Map<string, () => RegExp | undefined>();

/**
 * The expression of a `pattern` of JSON Schema. A pattern of another language (Python, Java, Go) is translated if an expression means the
 * same; otherwise undefined.
 */
export function readPattern(pattern: string): RegExp | undefined {
  const read = known.get(pattern) ?? once(() => compiled(pattern, 'u') ?? translated(pattern));
  known.set(pattern, read);
  return read();
}

function compiled(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}

/** The flag `u` refuses escapes and groups without a meaning in JavaScript. */
function translated(pattern: string): RegExp | undefined {
  const [, start = '', flags = '', body = ''] = /^(\^?)(?:\(\?([ims]+)\))?([\s\S]*)$/.exec(pattern) ?? [];
  const pieces: readonly string[] = body.match(PIECE) ?? [];
  const keeps = pieces.some((piece) => piece === '(?>' || IS_POSSESSIVE.test(piece));
  const isAmbiguous =
    (keeps && /\\[1-9]|\(\?<[=!]/.test(body)) ||
    (flags.includes('m') && (start !== '' || pieces.some((piece) => piece in ANCHORS))) ||
    (pieces.includes(']') && /\[[^\]]*\[(?!:)/.test(body)) ||
    /\{,|&&|\[:\^/.test(body);
  return isAmbiguous ? undefined : compiled(start + sourceOf(pieces), `${flags}u`);
}

function sourceOf(pieces: readonly string[]): string {
  const out: string[] = [];
  const open: { readonly start: number; readonly isAtomic: boolean }[] = [];
  let [atom, count] = [0, 0];
  /** An assertion never gives back what it has matched. */
  const keep = (quantifier: string): void => {
    const name = `kept${++count}`;
    out.push(`(?:(?=(?<${name}>${out.splice(atom).join('')}${quantifier}))\\k<${name}>)`);
  };
  for (const piece of pieces) {
    if (IS_POSSESSIVE.test(piece)) keep(piece.slice(0, -1));
    else if (/^[*+?]|^\{\d/.test(piece)) out.push(piece);
    else if (piece === ')') {
      const group = open.pop();
      atom = group?.start ?? 0;
      out.push(piece);
      if (group?.isAtomic) keep('');
    } else {
      atom = out.length;
      const isOpening = piece.startsWith('(') && !piece.endsWith(')');
      if (isOpening) open.push({ start: atom, isAtomic: piece === '(?>' });
      out.push(isOpening ? piece.replace('?P', '?').replace('?>', '?:') : outside(piece));
    }
  }
  return out.join('');
}

function outside(piece: string): string {
  if (piece.startsWith('(?P=')) return `\\k<${piece.slice(4, -1)}>`;
  if (/^[\]{}]$/.test(piece)) return `\\${piece}`;
  if (!piece.startsWith('[') || piece.length === 1)
    return ANCHORS[piece] ?? escaped(piece, (content, isNot) => `[${isNot ? '^' : ''}${content}]`);
  const [, start, content = ''] = /^(\[\^?)([\s\S]*)\]$/.exec(piece) ?? [];
  const inside: readonly string[] = content.match(IN_BRACKETS) ?? [];
  const isClass = (one = ''): boolean => /^(?:\\[dDwWsSpP]|\[:)/.test(one);
  const parts = inside.map((one, index) => {
    if (one === '-' && (isClass(inside[index - 1]) || isClass(inside[index + 1]))) return '\\-';
    if (one === ']' || one === '[') return `\\${one}`;
    return one.startsWith('[:')
      ? (POSIX[one.slice(2, -2)] ?? NEVER)
      : escaped(one, (all, isNot) => (isNot ? NEVER : all));
  });
  return `${start}${parts.join('')}]`;
}

function escaped(piece: string, posix: (content: string, isNot: boolean) => string): string {
  if (!/^\\[pP]/.test(piece))
    return ESCAPES[piece] ?? (/^\\[^\w^$\\.*+?()[\]{}|/-]$/u.test(piece) ? piece.slice(1) : piece);
  const name = piece.slice(2).replace(/[{}]/g, '');
  const property = `${piece.slice(0, 2)}{${name}}`;
  if (compiled(property, 'u')) return property;
  const content = POSIX[name.toLowerCase()];
  return content === undefined ? NEVER : posix(content, piece[1] === 'P');
}
