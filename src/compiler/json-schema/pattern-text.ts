import { readPattern } from '../../descriptor/read-pattern.ts';
import { type CharacterNode, isLookaround, type PatternNode, parsePattern } from './pattern-node.ts';

/** How often a part without an upper bound is repeated beyond what it must. */
const MORE = 64;
/** What a class may stand for, if not for its first character. */
const CANDIDATES = 'aA0-_. /:@é';

/**
 * The simplest text that an ordinary pattern matches, of at least `least` characters where its repetitions allow that: the
 * first alternative, the first character of a class, the fewest repetitions. Undefined where that does not match (back
 * references, some lookaheads).
 */
export function patternText(pattern: string, least = 0, most = Number.POSITIVE_INFINITY): string | undefined {
  const [root, expression] = [parsePattern(pattern), readPattern(pattern)];
  if (!root || !expression) return undefined;
  for (let more = 0; more <= Math.min(MORE, least); more += 1) {
    const text = textOf(root, more);
    if (text.length >= least && text.length <= most && expression.test(text)) return text;
  }
  return undefined;
}

/** `more`: repetitions beyond the fewest, unless an upper bound is below that. */
function textOf(node: PatternNode, more: number): string {
  switch (node.type) {
    case 'anchor':
    case 'reference':
      return '';
    case 'alternative':
    case 'group':
      // The text that comes of the other parts may meet a lookaround.
      return isLookaround(node) ? '' : node.body.map((part) => textOf(part, more)).join('');
    case 'disjunction':
      return textOf(node.body[0], more);
    case 'quantifier':
      return textOf(node.body[0], more).repeat(Math.min(node.max ?? Number.POSITIVE_INFINITY, node.min + more));
    default:
      return characterOf(node);
  }
}

function characterOf(node: CharacterNode): string {
  if (node.type === 'value') return String.fromCodePoint(node.codePoint);
  const expression = new RegExp(`^${node.raw}$`, 'u');
  const [first] = node.type === 'characterClass' ? node.body : [];
  const own = first && characterOf(first.type === 'characterClassRange' ? first.min : first);
  return [...(own ? [own] : []), ...CANDIDATES].find((one) => expression.test(one)) ?? '';
}
