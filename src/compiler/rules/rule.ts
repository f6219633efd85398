import type { Fix } from '../findings/fix.ts';
import type { ContractDraft } from '../model/draft.ts';
import { namingOf } from '../model/name-case.ts';

/** What a rule reports, before the name of the rule and the location are added. */
export interface Fault {
  readonly severity: 'error' | 'warning';
  /** Says what is wrong. */
  readonly message: string;
  /** What to write instead. */
  readonly hint: string;
  /** The node of the document that is wrong, if `key` is absent. */
  readonly node: object;
  readonly key?: string | number;
  /** The edit that removes it, where it follows from the rest of the document. */
  readonly fix?: Fix;
}

/** A rule of the conventions: checks the whole contract and yields everything that breaks the rule. */
export type Check = (draft: ContractDraft) => Iterable<Fault>;

/** The severity outside of resources: a warning in OpenAPI documents that do not follow the conventions. */
export function severityIn(draft: ContractDraft): Fault['severity'] {
  return draft.conventional ? 'error' : 'warning';
}

/** A rule of style, for contracts that ask for it: `x-naming: strict` on `info`. */
export const whenStrict = (check: Check): Check =>
  function* (draft) {
    if (namingOf(draft.document).isStrict) yield* check(draft);
  };
