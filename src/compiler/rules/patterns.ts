import { isSafePattern } from 'redos-detector';
import { isHeaderPattern } from '../../descriptor/implied-patterns.ts';
import type { FlatSchema } from '../json-schema/flat-schema.ts';
import { isLinearPattern } from './linear-pattern.ts';

/**
 * A pattern that needs more steps is unsafe. Steps are counted instead of time, so that the result is the same on
 * every machine.
 */
const MAX_STEPS = 20_000;

/** Others' documents have patterns in plenty, and only warnings of them: a second each would delay the server by minutes. */
const MAX_STEPS_OF_ORDINARY = 3_000;

/** What is wrong with a pattern. `conventional`: whether the document follows the conventions. */
export function patternFault(pattern: string, conventional: boolean): string | undefined {
  const maxSteps = conventional ? MAX_STEPS : MAX_STEPS_OF_ORDINARY;
  // Those that completion declares never backtrack; to prove it takes more steps than that.
  if (isHeaderPattern(pattern)) return undefined;
  try {
    new RegExp(pattern, 'u');
    // To prove that a long pattern is safe takes many steps, though its form may say so at once.
    if (isLinearPattern(pattern)) return undefined;
    const { safe } = isSafePattern(pattern, { unicode: true, maxSteps, timeout: Number.POSITIVE_INFINITY });
    return safe ? undefined : 'can take very long to match some texts';
  } catch (error) {
    return `is not a regular expression: ${(error as Error).message}`;
  }
}

/** Whether a text matches a pattern; one that is not a regular expression is reported by a rule of its own. */
export function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return false;
  }
}

/** Formats whose values have a limited length. */
const BOUNDED_FORMATS = new Set(['uuid', 'date', 'date-time', 'ipv4', 'ipv6', 'int64']);

/** Whether a schema limits the length of a text. */
export function isBounded({ keywords }: FlatSchema): boolean {
  if (['maxLength', 'enum', 'const'].some((keyword) => keywords.has(keyword))) return true;
  const [format, pattern] = [keywords.get('format')?.value, keywords.get('pattern')?.value];
  return BOUNDED_FORMATS.has(String(format)) || isBoundedPattern(String(pattern));
}

/** Whether a pattern matches the whole text and bounds all repetitions. */
function isBoundedPattern(pattern: string): boolean {
  const bare = pattern.replace(/\\.|\[(?:\\.|[^\]])*\]/g, '_');
  return /^\^.*\$$/.test(bare) && !/[*+]|\{\d+,\}/.test(bare);
}
