import { INT64_PATTERN } from '../../descriptor/implied-patterns.ts';
import { sentSchemas } from '../read/complete/implied-patterns.ts';
import type { Check } from './rule.ts';

/** What is no 64-bit integer in digits, though a pattern may well let it pass. */
const REFUSED = ['00', '01', '007', '-0', '-01', '+1', '1.0', '1e3'];

/** A pattern of 64-bit integers in requests lets nothing pass that the server refuses: clients could send it. */
export const int64Pattern: Check = function* ({ document, operations }) {
  for (const node of sentSchemas(document, operations)) {
    const { type, format, pattern } = node;
    if (![type].flat().includes('string') || format !== 'int64') continue;
    if (typeof pattern !== 'string' || pattern === INT64_PATTERN) continue;
    const text = REFUSED.find((one) => isMatched(pattern, one));
    if (text === undefined) continue;
    yield {
      severity: 'warning',
      message: `The pattern \`${pattern}\` of a 64-bit integer lets \`${text}\` pass, which the server refuses.`,
      hint: 'Leave the pattern out: the published document has the one that holds. Or begin numbers with a digit other than 0.',
      node,
      key: 'pattern',
    };
  }
};

/** Another rule tells of patterns that are none. */
function isMatched(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return false;
  }
}
