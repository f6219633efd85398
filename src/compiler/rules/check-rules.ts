import type { Finding } from '../findings/finding.ts';
import type { ContractDraft } from '../model/draft.ts';
import { fitSummaries } from './resource-fit.ts';
import type { Fault } from './rule.ts';
import { RULES } from './rules.ts';

/** Checks every rule on a contract. Returns all findings, in the order of the rules. */
export function checkRules(draft: ContractDraft): readonly Finding[] {
  const placed = Object.entries(RULES).flatMap(([rule, check]) =>
    [...check(draft)].map((fault) => ({ fault, finding: findingOf(draft, rule, fault) })),
  );
  const summaries = [...fitSummaries(draft, placed)].map((fault) => findingOf(draft, 'resource-fit', fault));
  return [...placed.map(({ finding }) => finding), ...summaries];
}

const findingOf = ({ source }: ContractDraft, rule: string, { node, key, ...fault }: Fault): Finding => ({
  rule,
  ...fault,
  location: source.locate(node, key),
});
