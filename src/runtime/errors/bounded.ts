/** Most faults of a request that one answer lists. */
export const MAX_LISTED_FAULTS = 20;

/** Most characters of one value that an answer repeats. */
const MAX_REPEATED_CHARACTERS = 100;

const CLOSING: Readonly<Record<string, string>> = { '{': '}', '[': ']' };

/** The start of a text that a caller has sent, for an answer that repeats it. */
export const shortened = (text: string, limit = MAX_REPEATED_CHARACTERS): string =>
  text.length > limit ? `${text.slice(0, limit)}…` : text;

/** A message of graphql-js or its compiler with each value that it repeats shortened: quoted texts, lists, objects, words. */
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

/** Where the value ends that begins at a place: a quoted text, a list, an object, else a word with the white space after it. */
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

/** What is said of faults that an answer does not list. */
export const omitted = (count: number): string =>
  count === 1 ? 'One more fault is not listed.' : `${count} more faults are not listed.`;
