import type { PropertyDescriptor, ResourceDescriptor } from '../../../descriptor/resource.ts';
import {
  type AccessAlternative,
  FIELD_ACTIONS,
  type FieldAction,
  ROW_ACTIONS,
  type RowAction,
} from '../../../descriptor/row-access.ts';
import { accessSentence } from '../../../descriptor/row-access-words.ts';
import { withoutTenants } from '../../../descriptor/tenant.ts';
import { covers } from '../../model/access/covers.ts';
import type { Report } from './change-sentences.ts';

type Alternatives = readonly AccessAlternative[] | undefined;

/** Differences in who may do what with which rows. What may narrow a rule breaks those whom it lets in no longer. */
export function rowAccessChanges(
  old: ResourceDescriptor,
  now: ResourceDescriptor,
  resources: readonly ResourceDescriptor[],
  report: Report,
): void {
  for (const action of ROW_ACTIONS) {
    const [before, after] = [rulesOf(old, action), rulesOf(now, action)];
    const change = changeOf(before, after);
    if (change === undefined) continue;
    const to = after
      ? accessSentence(action, after, resources)
      : `${SUBJECTS[action]} by all callers that \`security\` admits.`;
    report(change === 'widened' ? 'minor' : 'major', `row-access-${change}`, { keyword: action, to });
  }
}

/** Without the tenant, of which `tenantChanges` speaks. */
const rulesOf = ({ rowAccess }: ResourceDescriptor, action: RowAction): Alternatives =>
  rowAccess?.[action] && withoutTenants(rowAccess[action]);
/** Differences in who may read and write a property. */
export function fieldAccessChanges(
  old: PropertyDescriptor,
  now: PropertyDescriptor,
  resources: readonly ResourceDescriptor[],
  report: Report,
): void {
  for (const action of FIELD_ACTIONS) {
    const [before, after] = [old, now].map(({ access }) => access?.[action] && withoutTenants(access[action]));
    const change = changeOf(before, after);
    if (change === undefined) continue;
    const to = after
      ? accessSentence(action, after, resources)
      : `${FIELD_SUBJECTS[action]} by all who may do so with its row.`;
    report(change === 'widened' ? 'minor' : 'major', `field-access-${change}`, { keyword: action, to });
  }
}

const FIELD_SUBJECTS: Readonly<Record<FieldAction, string>> = { read: 'Readable', write: 'Can be written' };

const SUBJECTS: Readonly<Record<RowAction, string>> = {
  read: 'Readable',
  create: 'Can be created',
  update: 'Can be changed',
  delete: 'Can be deleted',
};

/** Without alternatives, all are let in. */
function changeOf(old: Alternatives, now: Alternatives): 'changed' | 'narrowed' | 'widened' | undefined {
  const [before, after] = [old ?? [{}], now ?? [{}]];
  const isNarrower = !within(before, after);
  const isWider = !within(after, before);
  if (isNarrower) return isWider ? 'changed' : 'narrowed';
  return isWider ? 'widened' : undefined;
}

/** Whether each alternative is covered by one of the others. */
const within = (some: readonly AccessAlternative[], others: readonly AccessAlternative[]): boolean =>
  some.every((narrow) => others.some((wide) => covers(wide, narrow)));
