import { posix } from 'node:path';
import type { Location } from '../../../compiler/findings/index.ts';
import type { Change } from '../../../compiler/gate/changes/index.ts';
import type { Verdict } from '../../../compiler/gate/index.ts';

/** The path relative to the working directory; findings have paths relative to the contract's folder. */
export const pathOf = (folder: string, { file }: Pick<Location, 'file'>): string =>
  posix.join(folder.replaceAll('\\', '/'), file);

/** The differences that a verdict allows, and those that the contract waives; none of checks that compare nothing. */
export function allowedChanges(verdict: Verdict): readonly { readonly change: Change; readonly label: string }[] {
  if (verdict.status === 'not-run') return [];
  const { changes = [], waived = [] } = verdict;
  return [
    ...waived.map(({ change, waiver: { reason, until } }) => ({
      change: { ...change, message: `${change.message} Waived until ${until}: ${reason}` },
      label: 'waived',
    })),
    ...changes.map((change) => ({ change, label: change.impact })),
  ];
}
