import type { Finding, Place } from '../findings/finding.ts';
import type { Fix } from '../findings/fix.ts';
import type { RuleText } from '../findings/rule-text.ts';
import type { ContractDraft } from '../model/draft.ts';

type Severity = Finding['severity'];

/** What a rule reports: the rule adds its id and its severity, and the location follows from the place. */
export interface Fault extends Place {
  /** Says what is wrong. */
  readonly message: string;
  /** What to write instead. */
  readonly hint: string;
  /** The other place that it is about. */
  readonly also?: Place | undefined;
  /** The edit that removes it, where it follows from the rest of the document. */
  readonly fix?: Fix | undefined;
  /** Where it differs from that of the rule. */
  readonly severity?: Severity | undefined;
}

/** A rule without its check. */
export interface RuleKind extends RuleText {
  /** If left out, an error; in an OpenAPI document that does not follow the conventions, a warning. */
  readonly severity?: Severity;
  /** Holds only where a contract asks for it: `x-naming: strict` on `info`. */
  readonly isStyle?: boolean;
}

/** A rule of the conventions. */
export interface Rule extends RuleKind {
  /** Everything that breaks the rule. */
  check(draft: ContractDraft): Iterable<Fault>;
}

interface Declaration<Subject> extends RuleKind {
  /** What is judged, one after another. */
  each(draft: ContractDraft): Iterable<Subject>;
  /** What is wrong with one of them. */
  check(subject: Subject, draft: ContractDraft): Fault | Iterable<Fault> | false | undefined;
}

/** Declares a rule by what is wrong with each of its subjects. */
export const rule = <Subject>({ each, check, ...kind }: Declaration<Subject>): Rule => ({
  ...kind,
  *check(draft) {
    for (const subject of each(draft)) {
      const found = check(subject, draft);
      if (!found) continue;
      if ('message' in found) yield found;
      else yield* found;
    }
  },
});
