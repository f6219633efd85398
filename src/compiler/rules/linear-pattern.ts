/** What matters of a pattern, in order: a character that repeats without bound, and one that must be there. */
type Step = { readonly kind: 'loop' | 'delimiter'; readonly characters: ReadonlySet<string> };

interface Atom {
  /** In order. */
  readonly steps: readonly Step[];
  /** The characters of which it is one; undefined for a group. */
  readonly characters?: ReadonlySet<string>;
}

/** More repetitions than this, of a number that is not fixed, count as unbounded. */
const FEW = 8;
const ASCII = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
/** Stands for all characters beyond ASCII. */
const OTHERS = 'é';

/**
 * Whether the form of a pattern alone shows that the steps of a match grow in proportion to the text: it is anchored, only single
 * characters repeat without bound, and between two such loops is a character that the first one does not match. Then a loop has
 * a bounded number of ends from which the pattern goes on. False says nothing about the pattern.
 */
export function isLinearPattern(pattern: string): boolean {
  const steps = new FormReader(pattern).steps();
  const loops = (steps ?? []).filter(({ kind }) => kind === 'loop');
  if (!steps || (loops.length > 0 && !pattern.startsWith('^'))) return false;
  return loops.slice(0, -1).every((loop) => {
    const after = steps.slice(steps.indexOf(loop) + 1);
    const between = after.slice(
      0,
      after.findIndex(({ kind }) => kind === 'loop'),
    );
    return between.some(({ characters }) => [...characters].every((one) => !loop.characters.has(one)));
  });
}

/** Reads the loops of a pattern, and the characters between them that must be there. */
class FormReader {
  readonly #pattern: string;
  #at = 0;
  #isKnown = true;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  /** Undefined where the form says too little. */
  steps(): readonly Step[] | undefined {
    const steps = this.#alternatives();
    return this.#isKnown && this.#at === this.#pattern.length ? steps : undefined;
  }

  /** What only one of several branches has need not be there. */
  #alternatives(): readonly Step[] {
    const branches = [this.#sequence()];
    while (this.#skips(/^\|/)) branches.push(this.#sequence());
    return branches.length === 1 ? branches[0]! : branches.flatMap(loopsOf);
  }

  #sequence(): readonly Step[] {
    const steps: Step[] = [];
    while (this.#isKnown && this.#at < this.#pattern.length && !/^[|)]/.test(this.#rest())) {
      if (this.#skips(/^(?:[$^]|\\[bB])/)) continue;
      steps.push(...this.#repeated(this.#atom()));
    }
    return steps;
  }

  #atom(): Atom {
    if (this.#skips(/^\((?:\?:|\?<[A-Za-z]\w*>|(?!\?))/)) {
      const steps = this.#alternatives();
      this.#isKnown &&= this.#skips(/^\)/);
      return { steps };
    }
    const [source] = /^(?:\[\^?(?:\\.|[^\]\\])*\]|\\[^1-9kpPbBucx]|[^\\()[\]{}*+?|])/su.exec(this.#rest()) ?? [];
    const characters = source === undefined ? undefined : charactersOf(source);
    if (source === undefined || !characters) return this.#unknown();
    this.#at += source.length;
    return { steps: [{ kind: 'delimiter', characters }], characters };
  }

  /** A group that repeats must have a fixed form, or few repetitions without loops in them. */
  #repeated({ steps, characters }: Atom): readonly Step[] {
    const [quantifier] = /^(?:[*+?]|\{\d+(?:,\d*)?\})/.exec(this.#rest()) ?? [];
    if (quantifier === undefined) return steps;
    this.#at += quantifier.length;
    this.#skips(/^\?/);
    const { least, most } = boundsOf(quantifier);
    const isLoop = most > FEW && most !== least;
    if (isLoop && characters) return [{ kind: 'loop', characters }];
    if (!characters && most > 1 && (most > FEW || loopsOf(steps).length > 0)) this.#isKnown = false;
    return least > 0 ? steps : loopsOf(steps);
  }

  #unknown(): Atom {
    this.#isKnown = false;
    return { steps: [] };
  }

  #skips(expression: RegExp): boolean {
    const [found] = expression.exec(this.#rest()) ?? [];
    this.#at += found?.length ?? 0;
    return found !== undefined;
  }

  #rest = (): string => this.#pattern.slice(this.#at);
}

const loopsOf = (steps: readonly Step[]): readonly Step[] => steps.filter(({ kind }) => kind === 'loop');

function boundsOf(quantifier: string): { readonly least: number; readonly most: number } {
  if (quantifier === '?') return { least: 0, most: 1 };
  if (quantifier === '*' || quantifier === '+')
    return { least: quantifier === '+' ? 1 : 0, most: Number.POSITIVE_INFINITY };
  const [least = 0, most] = quantifier.slice(1, -1).split(',');
  return { least: Number(least), most: most === undefined ? Number(least) : Number(most || Number.POSITIVE_INFINITY) };
}

/** The characters of ASCII that an atom matches, and one for the others, if it may match any. */
function charactersOf(source: string): ReadonlySet<string> | undefined {
  try {
    const expression = new RegExp(`^(?:${source})$`, 'su');
    const mayBeOther = /^\.$|^\[\^|\\[DSWpPux]|[^\0-\x7f]/.test(source);
    return new Set([...ASCII.filter((one) => expression.test(one)), ...(mayBeOther ? [OTHERS] : [])]);
  } catch {
    return undefined;
  }
}
