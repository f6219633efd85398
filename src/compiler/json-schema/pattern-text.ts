/** How often a part without an upper bound is repeated beyond what it must. */
const MORE = 64;

/**
 * The simplest text that an ordinary pattern matches, of at least `least` characters where its repetitions allow that: the
 * first alternative, the first character of a class, the fewest repetitions. Undefined where the pattern has what is not made
 * here (back references, Unicode properties), and where no such text is found.
 */
export function patternText(pattern: string, least = 0, most = Number.POSITIVE_INFINITY): string | undefined {
  const expression = expressionOf(pattern);
  if (!expression) return undefined;
  for (let more = 0; more <= Math.min(MORE, least); more += 1) {
    const text = new PatternReader(pattern, more).text();
    if (text === undefined) return undefined;
    if (text.length >= least && text.length <= most && expression.test(text)) return text;
  }
  return undefined;
}

function expressionOf(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return undefined;
  }
}

/** The first characters of the classes that escapes stand for. */
const CLASSES: Readonly<Record<string, string>> = { d: '0', w: 'a', s: ' ', D: 'a', W: '-', S: 'a' };
const CONTROLS: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', f: '\f', v: '\v' };
/** What a negated class may stand for. */
const CANDIDATES = 'aA0-_. /:@é';

/** Reads a pattern from left to right, and writes as it reads. */
class PatternReader {
  readonly #pattern: string;
  /** Repetitions beyond the fewest, where there is no upper bound below that. */
  readonly #more: number;
  #at = 0;
  #isOrdinary = true;

  constructor(pattern: string, more: number) {
    this.#pattern = pattern;
    this.#more = more;
  }

  text(): string | undefined {
    const text = this.#alternatives();
    return this.#isOrdinary && this.#at === this.#pattern.length ? text : undefined;
  }

  /** The first one counts; the others are read over. */
  #alternatives(): string {
    const first = this.#sequence();
    while (this.#takes('|')) this.#sequence();
    return first;
  }

  #sequence(): string {
    let text = '';
    while (this.#isOrdinary && this.#at < this.#pattern.length && !/[|)]/.test(this.#next())) {
      const part = this.#atom();
      text += part.repeat(this.#repetitions());
    }
    return text;
  }

  #atom(): string {
    const character = this.#take();
    switch (character) {
      case '^':
      case '$':
        return '';
      case '.':
        return 'a';
      case '(':
        return this.#group();
      case '[':
        return this.#class();
      case '\\':
        return this.#escape();
      default:
        return character;
    }
  }

  #group(): string {
    const isLookaround = /^\?<?[=!]/.test(this.#rest());
    if (this.#takes('?')) this.#skip(/^(?::|<?[=!]|<[A-Za-z]\w*>)/);
    const text = this.#alternatives();
    if (!this.#takes(')')) this.#isOrdinary = false;
    // It takes no characters, and the text that comes of the others may meet it.
    return isLookaround ? '' : text;
  }

  /** A class as the engine reads it, asked for one of its characters. */
  #class(): string {
    const [source] = /^\^?\]?(?:\\.|[^\]\\])*\]/.exec(this.#rest()) ?? [];
    if (source === undefined) return this.#strange();
    this.#at += source.length;
    const expression = expressionOf(`^[${source}$`);
    const [first = ''] = source.replace(/^\^/, '').replace(/^\\(.)/, (_, one: string) => CLASSES[one] ?? one);
    return [first, ...CANDIDATES].find((one) => expression?.test(one)) ?? this.#strange();
  }

  #escape(): string {
    const letter = this.#take();
    if (/[bB]/.test(letter)) return '';
    if (/[1-9kpPuxc0]/.test(letter)) return this.#strange();
    return CLASSES[letter] ?? CONTROLS[letter] ?? letter;
  }

  #repetitions(): number {
    const [quantifier] = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/.exec(this.#rest()) ?? [];
    if (quantifier === undefined) return 1;
    this.#at += quantifier.length;
    const [least, most] = boundsOf(quantifier);
    return Math.min(most, least + this.#more);
  }

  #strange(): string {
    this.#isOrdinary = false;
    return '';
  }

  #skip(expression: RegExp): void {
    const [found] = expression.exec(this.#rest()) ?? [];
    if (found === undefined) this.#isOrdinary = false;
    else this.#at += found.length;
  }

  #takes(character: string): boolean {
    if (this.#next() !== character) return false;
    this.#at += 1;
    return true;
  }

  #take(): string {
    const character = String.fromCodePoint(this.#pattern.codePointAt(this.#at) ?? 0);
    this.#at += character.length;
    return character;
  }

  #next = (): string => this.#pattern.charAt(this.#at);
  #rest = (): string => this.#pattern.slice(this.#at);
}

/** The fewest and the most repetitions. */
function boundsOf(quantifier: string): readonly [least: number, most: number] {
  switch (quantifier.charAt(0)) {
    case '*':
      return [0, Number.POSITIVE_INFINITY];
    case '+':
      return [1, Number.POSITIVE_INFINITY];
    case '?':
      return [0, 1];
    default: {
      const [, least = '0', comma, most = ''] = /^\{(\d+)(,?)(\d*)\}/.exec(quantifier)!;
      return [Number(least), comma === '' ? Number(least) : most === '' ? Number.POSITIVE_INFINITY : Number(most)];
    }
  }
}
