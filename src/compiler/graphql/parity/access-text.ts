import type { Access } from '../../../descriptor/access.ts';

/** An access rule as text, the same for equal rules: `a and b, or c`. */
export function accessText({ anyOf }: Access): string {
  const alternatives = anyOf.map(({ schemes }) =>
    schemes
      .map(({ name, scopes }) => [name, ...[...scopes].sort()].join(' '))
      .sort()
      .join(' and '),
  );
  return alternatives.length === 0 || alternatives.includes('')
    ? 'anyone'
    : [...new Set(alternatives)].sort().join(', or ');
}
