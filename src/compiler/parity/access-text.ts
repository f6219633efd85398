import type { Access } from '../../descriptor/access.ts';

/** Who may, in words that are equal for equal access: `a and b, or c`. */
export function accessText({ anyOf }: Access): string {
  const alternatives = anyOf.map(({ schemes }) =>
    schemes
      .map(({ name, scopes }) => [name, ...[...scopes].sort()].join(' '))
      .sort()
      .join(' and '),
  );
  return alternatives.length === 0 || alternatives.includes('')
    ? 'anybody'
    : [...new Set(alternatives)].sort().join(', or ');
}
