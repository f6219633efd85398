/**
 * Patterns of what the server always refuses, whatever a contract says. The compiler declares them in published documents, and
 * nothing else goes by them: the server has checks of its own, with better words.
 */

/** Texts hold no U+0000, which databases cannot store. */
export const TEXT_PATTERN = '^[^\\x00]*$';

/** Digits of a 64-bit integer: no plus, no leading zero. */
export const INT64_PATTERN = '^(0|-?[1-9][0-9]{0,18})$';

const TAG = '(?:W/)?"[^\\x00-\\x20"\\x7f]*"';

/** `*`, or a list of entity tags (RFC 9110, 13.1.1), without the white space around a field. */
export const ENTITY_TAGS_PATTERN = `^(?:\\*|(?:,[ \\t]*)*${TAG}[ \\t]*(?:,[ \\t]*(?:${TAG}[ \\t]*)?)*)$`;

/** A string (RFC 9651, 3.3.3), or its characters without quotes. */
export const IDEMPOTENCY_KEY_PATTERN =
  '^(?:"(?:[\\x20\\x21\\x23-\\x5b\\x5d-\\x7e]|\\\\["\\\\]){1,255}"|[\\x21\\x23-\\x7e]{1,255})$';

/** What the answers of writes have. */
export const CONSISTENCY_TOKEN_PATTERN = '^[ps][0-9a-z]{1,13}$';

const OF_HEADERS: ReadonlySet<unknown> = new Set([
  ENTITY_TAGS_PATTERN,
  IDEMPOTENCY_KEY_PATTERN,
  CONSISTENCY_TOKEN_PATTERN,
]);

/** Whether a schema's pattern says no more than what holds for every text, or for every text of its format. */
export const isImpliedPattern = ({
  pattern,
  format,
}: {
  readonly pattern?: unknown;
  readonly format?: unknown;
}): boolean => pattern === TEXT_PATTERN || (pattern === INT64_PATTERN && format === 'int64');

/** Whether a pattern is that of a header field that actions of resources read themselves. */
export const isHeaderPattern = (pattern: unknown): boolean => OF_HEADERS.has(pattern);
