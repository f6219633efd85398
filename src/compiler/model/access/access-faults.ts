import type { Place } from '../../findings/finding.ts';
import type { UnknownName } from '../../findings/wording.ts';

/** The rules that reading `x-access` may find broken. */
export type AccessRule = 'access-shape' | 'access-name' | 'access-operator' | 'access-value';

/** What is wrong with a rule of row access. */
export interface AccessFault extends Place {
  readonly rule: AccessRule;
  readonly message: string;
  /** What to write instead; of a name that is not known, those that are. */
  readonly hint: string | UnknownName;
}
