import type { ContractDraft } from '../model/draft.ts';

/** What a rule has found, before it gets its name and place. */
export interface Fault {
  readonly severity: 'error' | 'warning';
  /** Names what is wrong. */
  readonly message: string;
  /** What to write instead. */
  readonly hint: string;
  /** The node of the document, or one of its keys. */
  readonly node: object;
  readonly key?: string | number;
}

/** One rule of the conventions: looks at the whole contract and gives every breach of it. */
export type Check = (draft: ContractDraft) => Iterable<Fault>;

/** How grave a breach is outside of a resource: an ordinary OpenAPI document may do as it likes. */
export function severityIn(draft: ContractDraft): Fault['severity'] {
  return draft.conventional ? 'error' : 'warning';
}
