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
  const closers: ('comma or ]' | 'comma or }')[] = [];
  let state: State = 'value';
  let position = 0;

  function takes(token: string | RegExp): boolean {
    if (typeof token === 'string') {
      if (text[position] !== token) return false;
      position += 1;
      return true;
    }
    token.lastIndex = position;
    if (!token.test(text)) return false;
    position = token.lastIndex;
    return true;
  }

  function opened(closer: 'comma or ]' | 'comma or }', next: State): State {
    closers.push(closer);
    return next;
  }

  function closed(): State {
    closers.pop();
    return closers.at(-1) ?? 'end';
  }

  /** The state after the next token, or run of them; undefined at the fault. */
  function next(): State | undefined {
    takes(SPACE);
    switch (state) {
      case 'value':
      case 'value or ]':
        if (closers.at(-1) === 'comma or ]' && takes(ITEMS)) return 'value';
        if (state === 'value or ]' && takes(']')) return closed();
        if (takes('[')) return opened('comma or ]', 'value or ]');
        if (takes('{')) return opened('comma or }', 'name or }');
        return takes(SCALAR) ? (closers.at(-1) ?? 'end') : undefined;
      case 'name':
      case 'name or }':
        if (takes(MEMBERS)) return 'name';
        if (state === 'name or }' && takes('}')) return closed();
        return takes(STRING) ? 'colon' : undefined;
      case 'colon':
        return takes(':') ? 'value' : undefined;
      case 'comma or ]':
        return takes(',') ? 'value' : takes(']') ? closed() : undefined;
      case 'comma or }':
        return takes(',') ? 'name' : takes('}') ? closed() : undefined;
      case 'end':
        return undefined;
    }
  }

  for (let found: State | undefined = state; found; found = next()) state = found;
  return { position, expected: EXPECTED[state] };
}
