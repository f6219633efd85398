import type { Access } from '../../../descriptor/access.ts';
import { code } from '../layout/markdown.ts';

const ANYONE = 'anyone';
const ANY_TOKEN = 'any token';

/** What an operation asks for, as Markdown: `anyone`, or its alternatives. */
export function needed({ anyOf }: Access): string {
  if (anyOf.length === 0) return ANYONE;
  const words = anyOf.map(({ schemes }) => {
    const scopes = schemes.flatMap((scheme) => scheme.scopes);
    if (schemes.length === 0) return ANYONE;
    return scopes.length === 0 ? ANY_TOKEN : scopes.map(code).join(' and ');
  });
  return words.includes(ANYONE) ? ANYONE : [...new Set(words)].join(' or ');
}
