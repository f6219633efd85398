import { isSafePattern } from 'redos-detector';
import { isHeaderPattern } from '../../descriptor/implied-patterns.ts';
import { readPattern } from '../../descriptor/read-pattern.ts';
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
  const expression = readPattern(pattern);
  const [ignoreCase, unread] = [expression?.ignoreCase ?? false, unreadable(pattern)];
  if (unread !== undefined && conventional) return `is not a regular expression: ${unread}`;
  if (!expression) return `cannot be read by JavaScript, and is not checked: ${unread}`;
  try {
    // To prove that a long pattern is safe takes many steps, though its form may say so at once.
    if (!ignoreCase && isLinearPattern(pattern)) return undefined;
    const { safe } = isSafePattern(expression.source, {
      unicode: !ignoreCase,
      caseInsensitive: ignoreCase,
      dotAll: expression.dotAll,
      multiLine: expression.multiline,
      maxSteps,
      timeout: Number.POSITIVE_INFINITY,
    });
    return safe ? undefined : 'can take very long to match some texts';
  } catch (error) {
    return `cannot be judged: ${(error as Error).message}`;
  }
}

/** Why JavaScript cannot read a pattern as it stands. */
export function unreadable(pattern: string): string | undefined {
  try {
    new RegExp(pattern, 'u');
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Whether a text matches a pattern; one that is not a regular expression is reported by a rule of its own. */
export const matches = (pattern: string, text: string): boolean => readPattern(pattern)?.test(text) ?? false;

/** Formats whose values have a limited length. */
const BOUNDED_FORMATS = new Set(['uuid', 'date', 'date-time', 'date-time-local', 'ipv4', 'ipv6', 'int64']);

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
