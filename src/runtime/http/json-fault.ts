/** The first position at which a text is not valid JSON. */
export interface JsonFault {
  /** Characters before the fault. */
  readonly position: number;
  /** What would have been valid there. */
  readonly expected: string;
}

type State = 'value' | 'value or ]' | 'name or }' | 'name' | 'colon' | 'comma or ]' | 'comma or }' | 'end';

const BLANK = String.raw`[ \t\n\r]*`;
const TEXT = String.raw`"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\u0000-\u001f]*)*"`;
const SHORT_TEXT = String.raw`"[^"\\\u0000-\u001f]{0,999}"`;
const PLAIN = String.raw`true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?`;

const sticky = (pattern: string): RegExp => new RegExp(pattern, 'y');
const SPACE = sticky(BLANK);
const STRING = sticky(TEXT);
const SCALAR = sticky(`${TEXT}|${PLAIN}`);
/** Runs of items and members with short values, and the commas after them: most of a text with many, in one step. */
const ITEMS = sticky(`(?:${BLANK}(?:${SHORT_TEXT}|${PLAIN})${BLANK},)+`);
const MEMBERS = sticky(`(?:${BLANK}${SHORT_TEXT}${BLANK}:${BLANK}(?:${SHORT_TEXT}|${PLAIN})${BLANK},)+`);

const EXPECTED: Readonly<Record<State, string>> = {
  value: 'a value',
  'value or ]': 'a value or ]',
  name: 'a property name in double quotes',
  'name or }': 'a property name in double quotes or }',
  colon: ':',
  'comma or ]': ', or ]',
  'comma or }': ', or }',
  end: 'the end',
};

/** Finds the first fault in a text that `JSON.parse` has rejected: its messages do not always have the position. */
export function findJsonFault(text: string): JsonFault {
  const scan = new Scan(text);
  while (scan.step());
  return { position: scan.position, expected: EXPECTED[scan.state] };
}

class Scan {
  readonly #text: string;
  readonly #closers: ('comma or ]' | 'comma or }')[] = [];
  state: State = 'value';
  position = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Consumes one token, or a run of them; false at the fault. */
  step(): boolean {
    this.#take(SPACE);
    const { state } = this;
    if (state === 'value' || state === 'value or ]') return this.#value();
    if (state === 'name' || state === 'name or }')
      return this.#run(MEMBERS, 'name') || this.#takes('}', 'name or }') || (this.#take(STRING) && this.#goes('colon'));
    if (state === 'colon') return this.#character(':') && this.#goes('value');
    if (state === 'comma or ]')
      return this.#character(']') ? this.#close() : this.#character(',') && this.#goes('value');
    if (state === 'comma or }')
      return this.#character('}') ? this.#close() : this.#character(',') && this.#goes('name');
    return false;
  }

  #value(): boolean {
    if (this.#closers.at(-1) === 'comma or ]' && this.#run(ITEMS, 'value')) return true;
    if (this.#takes(']', 'value or ]')) return true;
    if (this.#character('[')) return this.#open('comma or ]', 'value or ]');
    if (this.#character('{')) return this.#open('comma or }', 'name or }');
    return this.#take(SCALAR) && this.#goes(this.#closers.at(-1) ?? 'end');
  }

  #run(tokens: RegExp, next: State): boolean {
    return this.#take(tokens) && this.#goes(next);
  }

  #takes(closer: string, only: State): boolean {
    return this.state === only && this.#character(closer) && this.#close();
  }

  #open(closer: 'comma or ]' | 'comma or }', next: State): boolean {
    this.#closers.push(closer);
    return this.#goes(next);
  }

  #close(): boolean {
    this.#closers.pop();
    return this.#goes(this.#closers.at(-1) ?? 'end');
  }

  #goes(state: State): true {
    this.state = state;
    return true;
  }

  #character(character: string): boolean {
    if (this.#text[this.position] !== character) return false;
    this.position++;
    return true;
  }

  #take(token: RegExp): boolean {
    token.lastIndex = this.position;
    if (!token.test(this.#text)) return false;
    this.position = token.lastIndex;
    return true;
  }
}
