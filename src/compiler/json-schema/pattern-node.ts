import regjsparser, { type RootNode } from 'regjsparser';
import { readPattern } from '../../descriptor/read-pattern.ts';

/** A part of a regular expression with the flag `u`. */
export type PatternNode = RootNode<{ lookbehind: true; namedGroups: true; unicodePropertyEscape: true }>;

/** A part that is one character. */
export type CharacterNode = Extract<
  PatternNode,
  { type: 'value' | 'dot' | 'characterClass' | 'characterClassEscape' | 'unicodePropertyEscape' }
>;

/** Undefined for what is not a regular expression. */
export function parsePattern(pattern: string): PatternNode | undefined {
  try {
    const source = readPattern(pattern)?.source;
    if (source === undefined) return undefined;
    return regjsparser.parse(source, 'u', { lookbehind: true, namedGroups: true, unicodePropertyEscape: true });
  } catch {
    return undefined;
  }
}

/** Whether a part looks at characters without taking them. */
export const isLookaround = (node: PatternNode): boolean =>
  node.type === 'group' && node.behavior !== 'normal' && node.behavior !== 'ignore';

export const isCharacter = (node: PatternNode): node is CharacterNode =>
  /^(?:value|dot|characterClass|unicodeProperty)/.test(node.type);
