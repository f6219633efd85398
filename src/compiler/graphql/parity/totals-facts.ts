import { getNamedType, isObjectType } from 'graphql';
import type { RootDraft } from '../convention/further-fields.ts';
import { groupName, sortName } from '../convention/names.ts';
import { pageMembers } from '../convention/totals.ts';
import { memberFact } from './field-facts.ts';
import { type ListedSite, valueFacts } from './list-facts.ts';
import type { Parity } from './parity.ts';

/** For `GET /orders/totals`, the types of the field `orderTotals`. */
export function totalsFacts(parity: Parity, site: ListedSite, totals: RootDraft<'totals'>): void {
  const { resource, field, operation } = site;
  valueFacts(parity, site, 'groupBy', totals.groups.map(groupName));
  valueFacts(parity, site, 'sort', totals.sorts.map(sortName));
  const page = getNamedType(field.type);
  if (!isObjectType(page)) return;
  const fields = page.getFields();
  const members = pageMembers(totals);
  for (const name of new Set([...members.map((one) => one.name), ...Object.keys(fields)])) {
    const wanted = members.find((one) => one.name === name);
    const rest = parity.rest(wanted?.type, operation.item, operation.method);
    const at = { area: resource.key, aspect: 'field', holder: page, found: fields[name] } as const;
    memberFact(parity, at, wanted ?? { name }, rest);
  }
}
