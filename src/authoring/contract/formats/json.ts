import type { Verdict } from '../../../compiler/gate/index.ts';
import { rulePage } from '../../../compiler/rules/texts/index.ts';

/** Verdicts as JSON; each finding has the page of its rule. */
export function formatJson(verdicts: readonly Verdict[]): string {
  const linked = verdicts.map((verdict) => ({
    ...verdict,
    findings: verdict.findings.map((finding) => ({ ...finding, page: rulePage(finding.rule) })),
  }));
  return JSON.stringify(linked, undefined, 2);
}
