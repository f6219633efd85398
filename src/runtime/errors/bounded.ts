/** The maximum number of faults of a request in a response. */
export const MAX_LISTED_FAULTS = 20;

/** The maximum number of characters of a value that a response repeats. */
const MAX_REPEATED_CHARACTERS = 100;

const CLOSING: Readonly<Record<string, string>> = { '{': '}', '[': ']' };

/** The beginning of a text that a caller has sent, for a response that repeats it. */
export const shortened = (text: string, limit = MAX_REPEATED_CHARACTERS): string =>
  text.length > limit ? `${text.slice(0, limit)}…` : text;

/** Shortens the values that a message of graphql-js or its compiler repeats: quoted texts, lists, objects, words. */
export function withShortValues(message: string): string {
  if (message.length <= MAX_REPEATED_CHARACTERS) return message;
  let text = '';
  for (let at = 0; at < message.length; ) {
    const end = endOfValue(message, at);
    text += shortened(message.slice(at, end));
    at = end;
  }
  return text;
}

/** The end of the value that begins at `start`: a quoted text, a list, an object, or a word. */
function endOfValue(message: string, start: number): number {
  const first = message[start]!;
  if (first === '"') return endOfQuoted(message, start);
  if (first in CLOSING) return endOfNested(message, start);
  let end = start + 1;
  while (end < message.length && !/[\s"{[]/.test(message[end]!)) end += 1;
  return end;
}

function endOfQuoted(message: string, start: number): number {
  for (let at = start + 1; at < message.length; at++) {
    if (message[at] === '\\') at += 1;
    else if (message[at] === '"') return at + 1;
  }
  return message.length;
}

function endOfNested(message: string, start: number): number {
  const open: string[] = [];
  for (let at = start; at < message.length; at++) {
    const character = message[at]!;
    if (character === '"') at = endOfQuoted(message, at) - 1;
    else if (character in CLOSING) open.push(CLOSING[character]!);
    else if (character === open.at(-1)) open.pop();
    if (open.length === 0) return at + 1;
  }
  return message.length;
}

/** Describes the faults that a response does not list. */
export const omitted = (count: number): string =>
  count === 1 ? 'One more fault is not listed.' : `${count} more faults are not listed.`;
