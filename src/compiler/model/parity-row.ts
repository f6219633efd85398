import type { Location } from '../findings/finding.ts';

/** What a row of the table is about; with `parity-` before it, the rule that a difference breaks. */
export type Aspect =
  | 'action'
  | 'argument'
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
  | 'union';

/** What one protocol says of a fact, and where; undefined: it does not have it, and the place is where it would be. */
export interface Side {
  readonly text: string | undefined;
  readonly location: Location;
  /** Why the other protocol deliberately lacks it (`x-parity`, `@parity`). */
  readonly because?: string | undefined;
}

/** One fact of a contract, REST beside GraphQL. */
export interface ParityRow {
  /** Key of the resource, or a name of what many share. */
  readonly resource: string;
  readonly aspect: Aspect;
  readonly name: string;
  readonly rest: Side;
  readonly graphql: Side;
  /** `stale`: a difference is declared where there is none. */
  readonly verdict: 'same' | 'declared' | 'different' | 'stale';
}

export function verdictOf(rest: Side, graphql: Side): ParityRow['verdict'] {
  const isDeclared = rest.because !== undefined || graphql.because !== undefined;
  const isOneSided =
    (rest.because !== undefined && graphql.text === undefined) ||
    (graphql.because !== undefined && rest.text === undefined);
  if (isDeclared) return isOneSided ? 'declared' : 'stale';
  return rest.text === graphql.text ? 'same' : 'different';
}
