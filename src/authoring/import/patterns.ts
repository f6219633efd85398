import { patternFault } from '../../compiler/rules/index.ts';

const SYNTAX = /[\\^$.*+?()[\]{}|/]/;
/** What is the same in Postgres' regular expressions and JavaScript's, one part at a time. */
const PART =
  /\[\^?(?:[^[\]\\-]|[^[\]\\-]-[^[\]\\-])+-?\]|\\[^A-Za-z0-9]|\((?:\?:)?|\)|\{\d+(?:,\d*)?\}|[*+?|^$.]|[^\\[\](){}*+?|^$.]/uy;

/** The pattern of JSON Schema with the meaning of `~`; undefined without one that is safe. Classes such as `\d` depend on the locale. */
export function patternOf(regex: string): string | undefined {
  let [pattern, at] = ['', 0];
  while (at < regex.length) {
    PART.lastIndex = at;
    const [part] = PART.exec(regex) ?? [];
    if (part === undefined) return undefined;
    pattern += translated(part);
    at += part.length;
  }
  return safe(pattern);
}

/** The pattern with the meaning of `LIKE`. */
export function patternOfLike(like: string): string | undefined {
  const parts = like.match(/\\[\s\S]|[\s\S]/gu) ?? [];
  const middle = parts.map((part) =>
    part === '%' ? '[\\s\\S]*' : part === '_' ? '[\\s\\S]' : escaped(part.replace(/^\\(?=.)/su, '')),
  );
  return safe(`^${middle.join('')}$`.replace(/^\^\[\\s\\S\]\*(?!\$$)/, '').replace(/\[\\s\\S\]\*\$$/, ''));
}

/** A dot matches line breaks in Postgres. */
function translated(part: string): string {
  if (part === '.') return '[\\s\\S]';
  return part.startsWith('\\') ? escaped(part.slice(1)) : part;
}

const escaped = (character: string): string => (SYNTAX.test(character) ? `\\${character}` : character);

const safe = (pattern: string): string | undefined => (patternFault(pattern, true) === undefined ? pattern : undefined);
