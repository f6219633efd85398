import type { Finding } from '../findings/finding.ts';
import type { ContractDraft } from '../model/draft.ts';
import { namingOf } from '../model/name-case.ts';
import { fitSummaries, type Placed, resourceFit } from './resource-fit.ts';
import type { Fault, Rule } from './rule.ts';
import { RULES } from './rules.ts';

/** Checks every rule on a contract. Returns all findings, in the order of the rules. */
export function checkRules(draft: ContractDraft): readonly Finding[] {
  const placed = placedFaults(draft);
  const summaries = [...fitSummaries(draft, placed), ...foreignSummaries(draft)];
  return [...placed.map(({ finding }) => finding), ...summaries.map((fault) => findingOf(draft, resourceFit, fault))];
}

function placedFaults(draft: ContractDraft): readonly Placed[] {
  const { isStrict } = namingOf(draft.document);
  const asked = RULES.filter(({ isStyle }) => isStrict || !isStyle);
  return asked.flatMap((rule) =>
    [...rule.check(draft)].map(({ node, ...fault }) => ({ node, finding: findingOf(draft, rule, { node, ...fault }) })),
  );
}

/** What would make resources of what is served as it is. */
function foreignSummaries(draft: ContractDraft): Iterable<Fault> {
  const { foreign = [], ...own } = draft;
  if (foreign.length === 0) return [];
  const meant = { ...own, resources: foreign, conventional: true };
  return fitSummaries(meant, placedFaults(meant), true);
}

/** A fault as it is reported. */
export function findingOf(
  draft: ContractDraft,
  { id, severity }: Pick<Rule, 'id' | 'severity'>,
  { node, key, also, ...fault }: Fault,
): Finding {
  const usual = severity ?? (draft.conventional ? 'error' : 'warning');
  const places = {
    location: draft.source.locate(node, key),
    ...(also && { also: draft.source.locate(also.node, also.key) }),
  };
  return { rule: id, ...fault, severity: fault.severity ?? usual, ...places };
}
