import type { Finding } from '../findings/finding.ts';
import type { ContractDraft } from '../model/draft.ts';
import { fitSummaries, type Placed } from './resource-fit.ts';
import type { Fault } from './rule.ts';
import { RULES } from './rules.ts';

/** Checks every rule on a contract. Returns all findings, in the order of the rules. */
export function checkRules(draft: ContractDraft): readonly Finding[] {
  const placed = placedFaults(draft);
  const summaries = [...fitSummaries(draft, placed), ...foreignSummaries(draft)];
  return [
    ...placed.map(({ finding }) => finding),
    ...summaries.map((fault) => findingOf(draft, 'resource-fit', fault)),
  ];
}

const placedFaults = (draft: ContractDraft): readonly Placed[] =>
  Object.entries(RULES).flatMap(([rule, check]) =>
    [...check(draft)].map((fault) => ({ fault, finding: findingOf(draft, rule, fault) })),
  );

/** What would make resources of what is served as it is. */
function foreignSummaries(draft: ContractDraft): Iterable<Fault> {
  const { foreign = [], ...own } = draft;
  if (foreign.length === 0) return [];
  const meant = { ...own, resources: foreign, conventional: true };
  return fitSummaries(meant, placedFaults(meant), true);
}

const findingOf = ({ source }: ContractDraft, rule: string, { node, key, ...fault }: Fault): Finding => ({
  rule,
  ...fault,
  location: source.locate(node, key),
});
