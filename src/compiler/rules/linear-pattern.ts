import { isCharacter, isLookaround, type PatternNode, parsePattern } from '../json-schema/pattern-node.ts';

/**
 * What matters of a pattern, in order: a character that repeats without bound, one that must be there, and a part whose form
 * says too little.
 */
interface Step {
  readonly kind: 'loop' | 'delimiter' | 'unknown';
  readonly characters: ReadonlySet<string>;
}

const UNKNOWN: Step = { kind: 'unknown', characters: new Set() };
/** More repetitions than this, of a number that is not fixed, count as unbounded. */
const FEW = 8;
/** In how many ways the parts between the loops may match, at most: all of them are tried where the rest does not match. */
const MAX_WAYS = 200_000;
const ASCII = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
/** Stands for all characters beyond ASCII. */
const OTHERS = 'é';

/**
 * Whether the form of a pattern alone shows that the steps of a match grow in proportion to the text: it is anchored, only single
 * characters repeat without bound, and between two such loops is a character that the first one does not match. Then a loop has
 * a bounded number of ends from which the pattern goes on. False says nothing about the pattern.
 */
export function isLinearPattern(pattern: string): boolean {
  const root = parsePattern(pattern);
  const steps = root ? stepsOf(root) : [UNKNOWN];
  if (!root || steps.includes(UNKNOWN) || waysOf(root) > MAX_WAYS) return false;
  const loops = steps.filter(isLoop);
  if (loops.length > 0 && !isAnchored(root)) return false;
  return loops.slice(0, -1).every((loop) => {
    const after = steps.slice(steps.indexOf(loop) + 1);
    const between = after.slice(0, after.findIndex(isLoop));
    return between.some(({ characters }) => [...characters].every((one) => !loop.characters.has(one)));
  });
}

function stepsOf(node: PatternNode): readonly Step[] {
  switch (node.type) {
    case 'anchor':
      return [];
    case 'reference':
      return [UNKNOWN];
    case 'alternative':
    case 'group':
      return isLookaround(node) ? [UNKNOWN] : node.body.flatMap(stepsOf);
    case 'disjunction':
      return node.body.flatMap(stepsOf).filter(isNeeded);
    case 'quantifier':
      return repeated(node);
    default:
      return [{ kind: 'delimiter', characters: charactersOf(node.raw) }];
  }
}

/** A group that repeats must have a fixed form, or few repetitions without loops in them. */
function repeated(node: Quantifier): readonly Step[] {
  const [body] = node.body;
  const steps = stepsOf(body);
  if (isCharacter(body) && isUnbounded(node)) return [{ kind: 'loop', characters: charactersOf(body.raw) }];
  if (!isCharacter(body) && mostOf(node) > 1 && (mostOf(node) > FEW || steps.some(isLoop))) return [UNKNOWN];
  return node.min > 0 ? steps : steps.filter(isNeeded);
}

type Quantifier = Extract<PatternNode, { type: 'quantifier' }>;

const isLoop = ({ kind }: Step): boolean => kind === 'loop';
/** What only one of several branches has, or is optional, does not delimit. */
const isNeeded = ({ kind }: Step): boolean => kind !== 'delimiter';
const mostOf = ({ max = Number.POSITIVE_INFINITY }: Quantifier): number => max;
const isUnbounded = (node: Quantifier): boolean => mostOf(node) > FEW && mostOf(node) !== node.min;

/** In how many ways a part can match, its loops left aside. */
function waysOf(node: PatternNode): number {
  switch (node.type) {
    case 'alternative':
    case 'group':
      return node.body.map(waysOf).reduce((all, ways) => all * ways, 1);
    case 'disjunction':
      return node.body.map(waysOf).reduce((all, ways) => all + ways, 0);
    case 'quantifier': {
      if (isUnbounded(node)) return 1;
      const ways = waysOf(node.body[0]);
      const times = Array.from({ length: mostOf(node) - node.min + 1 }, (_, more) => ways ** (node.min + more));
      return times.reduce((all, one) => all + one, 0);
    }
    default:
      return 1;
  }
}

/** Whether every branch begins at the start of the text. */
function isAnchored(node: PatternNode | undefined): boolean {
  if (node?.type === 'disjunction') return node.body.every(isAnchored);
  if (node?.type === 'alternative' || node?.type === 'group') return isAnchored(node.body[0]);
  return node?.type === 'anchor' && node.kind === 'start';
}

/** The characters of ASCII that an atom matches, and one for the others, if it may match any. */
function charactersOf(source: string): ReadonlySet<string> {
  const expression = new RegExp(`^(?:${source})$`, 'su');
  const mayBeOther = /^\.$|^\[\^|\\[DSWpPux]|[^\0-\x7f]/.test(source);
  return new Set([...ASCII.filter((one) => expression.test(one)), ...(mayBeOther ? [OTHERS] : [])]);
}
