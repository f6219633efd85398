/** In 64 hexadecimal digits at random, there are practically always more. */
const MIN_CHARACTERS = 8;

/** Secrets that anybody can look up: from examples that are often copied, and all that our own documents show. */
const PUBLISHED: ReadonlySet<string> = new Set([
  'a-string-secret-at-least-256-bits-long',
  'super-secret-jwt-token-with-at-least-32-characters-long',
  'your-super-secret-jwt-token-with-at-least-32-characters-long',
]);

/** What makes a secret too weak for production, however long it is; undefined: nothing that can be seen. */
export function weaknessOf(secret: string): string | undefined {
  if (new Set(secret).size < MIN_CHARACTERS) return `has fewer than ${MIN_CHARACTERS} different characters`;
  if (isRepeated(secret)) return 'is one text over and over';
  return PUBLISHED.has(secret) ? 'is one that is published as an example' : undefined;
}

/** Whether a secret is one text twice or more, of which the last may be cut off. */
function isRepeated(secret: string): boolean {
  for (let length = 1; length <= secret.length / 2; length++) if (secret.startsWith(secret.slice(length))) return true;
  return false;
}
