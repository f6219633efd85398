import type { Location } from '../../findings/finding.ts';

/** What a change asks of the version (Semantic Versioning 2.0.0): `major` breaks who relies on the contract. */
export type Impact = 'major' | 'minor' | 'patch';

/** One difference between a released contract and the one at hand. */
export interface Change {
  readonly impact: Impact;
  readonly area: 'rest' | 'graphql' | 'storage';
  readonly rule: string;
  readonly message: string;
  /** In the contract at hand; of what is gone, where it would stand. */
  readonly location: Location;
}

const ORDER: readonly Impact[] = ['patch', 'minor', 'major'];

/** The greatest impact among changes; undefined for none. */
export function impactOf(changes: readonly Change[]): Impact | undefined {
  return ORDER[Math.max(...changes.map(({ impact }) => ORDER.indexOf(impact)))];
}
