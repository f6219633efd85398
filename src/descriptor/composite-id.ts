/** An id of several parts as one text: `~` between them, and `!` before each `~` and `!` of a part. */
export const joinId = (parts: readonly string[]): string => parts.map(escaped).join('~');

const escaped = (part: string): string =>
  part.includes('~') || part.includes('!') ? part.replace(/[~!]/g, '!$&') : part;

/** The parts of such an id; undefined if it is not written as `joinId` writes it. */
export function splitId(id: string): readonly string[] | undefined {
  const parts = [''];
  for (let i = 0; i < id.length; i++) {
    const character = id.charAt(i);
    if (character === '~') parts.push('');
    else {
      const escaped = character === '!' ? id.charAt(++i) : character;
      if (character === '!' && escaped !== '~' && escaped !== '!') return undefined;
      parts.push(parts.pop() + escaped);
    }
  }
  return parts;
}
