import type { Location } from '../findings/finding.ts';
import type { Fix } from '../findings/fix.ts';

/** What a row of the table is about; prefixed with `parity-`, the name of the rule that a difference breaks. */
export type Aspect =
  | 'action'
  | 'argument'
  | 'connection'
  | 'cost'
  | 'custom'
  | 'default'
  | 'deprecation'
  | 'enum'
  | 'error'
  | 'event'
  | 'field'
  | 'filter'
  | 'input'
  | 'owner'
  | 'page-default'
  | 'page-maximum'
  | 'reference'
  | 'return'
  | 'scope'
  | 'sort'
  | 'sort-default'
  | 'total-count'
  | 'total-count-exact'
  | 'union'
  | 'way';

/**
 * What one protocol states, and where; undefined when it does not have the fact, and the location is where it would
 * be.
 */
export interface Side {
  readonly text: string | undefined;
  readonly location: Location;
  /** The declaration that this protocol lacks, as it would be written. */
  readonly expected?: string | undefined;
  /** Why the other protocol deliberately lacks it (`x-parity`, `@parity`). */
  readonly because?: string | undefined;
}

/** One fact of a contract, as REST and GraphQL state it. */
export interface ParityRow {
  /** Key of the resource, or the name of what several resources share. */
  readonly resource: string;
  readonly aspect: Aspect;
  readonly name: string;
  readonly rest: Side;
  readonly graphql: Side;
  /**
   * `stale` when a difference is declared that does not exist, `stricter` when GraphQL asks for more than REST before it
   * comes to the same.
   */
  readonly verdict: 'same' | 'declared' | 'different' | 'stale' | 'stricter';
  /** What to do about a difference, where the aspect does not say it. */
  readonly hint?: string | undefined;
  /** Of a difference, the edit that removes it, where it follows from the other side. */
  readonly fix?: Fix | undefined;
}

export function verdictOf(rest: Side, graphql: Side): Exclude<ParityRow['verdict'], 'stricter'> {
  const isDeclared = rest.because !== undefined || graphql.because !== undefined;
  const isOneSided =
    (rest.because !== undefined && graphql.text === undefined) ||
    (graphql.because !== undefined && rest.text === undefined);
  if (isDeclared) return isOneSided ? 'declared' : 'stale';
  return rest.text === graphql.text ? 'same' : 'different';
}
