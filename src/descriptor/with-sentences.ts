/**
 * A description with sentences after it, a paragraph each. Those that it has already are not said again: a release was
 * written with them, and is read to be compared.
 */
export function withSentences(description: string | undefined, sentences: readonly string[]): string | undefined {
  const said = description?.split(/\n{2,}/).map((paragraph) => paragraph.trim()) ?? [];
  const added = sentences.filter((sentence) => !said.includes(sentence));
  return added.length === 0 ? description : [...(description ? [description] : []), ...added].join('\n\n');
}
