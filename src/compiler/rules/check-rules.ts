import type { Finding } from '../findings/finding.ts';
import type { ContractDraft } from '../model/draft.ts';
import { RULES } from './rules.ts';

/** Checks every rule on a contract. Returns all findings, in the order of the rules. */
export function checkRules(draft: ContractDraft): readonly Finding[] {
  return Object.entries(RULES).flatMap(([rule, check]) =>
    [...check(draft)].map(({ node, key, ...fault }) => ({
      rule,
      ...fault,
      location: draft.source.locate(node, key),
    })),
  );
}
