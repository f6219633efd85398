import { editDistance } from '../../descriptor/edit-distance.ts';

/** Words for messages: `` `a`, `b` or `c` ``. */
export function oneOf(words: Iterable<string>): string {
  return joined(words, 'or');
}

/** `` `a`, `b` and `c` ``. */
export function allOf(words: Iterable<string>): string {
  return joined(words, 'and');
}

/** All of a few words, or the first ones and the number of the rest. */
export function some(words: readonly string[]): string {
  return words.length <= 3 ? allOf(words) : `\`${words[0]}\`, \`${words[1]}\` and ${words.length - 2} more`;
}

function joined(words: Iterable<string>, last: string): string {
  const quoted = [...words].map((word) => `\`${word}\``);
  if (quoted.length < 2) return quoted[0] ?? 'nothing';
  return `${quoted.slice(0, -1).join(', ')} ${last} ${quoted.at(-1)}`;
}

/** The known name that an unknown name most likely stands for: at most a third of its letters differ. */
export function closest(name: string, known: Iterable<string>): string | undefined {
  const plain = letters(name);
  const ranked = [...known]
    .map((candidate) => ({ candidate, distance: distanceOf(plain, letters(candidate)) }))
    .filter(({ candidate, distance }) => distance <= Math.max(1, letters(candidate).length / 3))
    .sort((a, b) => a.distance - b.distance);
  return ranked[0]?.candidate;
}

/** "Did you mean `x`?", or else `otherwise`, or the names to choose from. */
export function suggestion(name: string, known: readonly string[], otherwise?: string): string {
  const near = closest(name, known);
  if (near !== undefined) return `Did you mean \`${near}\`?`;
  if (otherwise !== undefined) return otherwise;
  if (known.length === 0) return `Remove it, or declare \`${name}\` first.`;
  const first = known.length > 12 ? known.slice(0, 8) : known;
  return `Write ${oneOf(first)}${first === known ? '' : `, or another of the ${known.length} declared names`}.`;
}

/** A name that is not known, and those that are. */
export interface UnknownName {
  readonly name: string;
  readonly known: readonly string[];
  /** What to write where none of the known ones is near. */
  readonly otherwise?: string;
}

/** What to write instead, in words. */
export const hintText = (hint: string | UnknownName): string =>
  typeof hint === 'string' ? hint : suggestion(hint.name, hint.known, hint.otherwise);

/** A name that contains the other counts as a difference of one letter. */
function distanceOf(a: string, b: string): number {
  const inside = Math.min(a.length, b.length) > 3 && (a.includes(b) || b.includes(a));
  return inside ? 1 : editDistance(a, b);
}

function letters(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}
