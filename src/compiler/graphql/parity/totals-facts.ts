import { getNamedType, isObjectType } from 'graphql';
import { groupName, sortName } from '../convention/names.ts';
import { pageMembers, type TotalsSite, totalsField, totalsSites } from '../convention/totals.ts';
import { servedFact } from './action-facts.ts';
import { memberFact } from './field-facts.ts';
import { valueFacts } from './list-facts.ts';
import type { Parity } from './parity.ts';

/** For `GET /orders/totals`, the field `orderTotals` and its types. */
export function totalsFacts(parity: Parity): void {
  for (const site of totalsSites(parity)) totalsFact(parity, site);
}

function totalsFact(parity: Parity, site: TotalsSite): void {
  const { resource, totals } = site;
  const { operation } = totals;
  const member = totalsField(parity, site);
  const coordinate = `${parity.rootNames.query}.${member.name}`;
  servedFact(parity, resource, `${resource.name} totals`, coordinate, operation, member, () => undefined);
  const field = parity.field(coordinate);
  if (!field) return;
  const place = { resource, coordinate, field, operation };
  valueFacts(parity, place, 'groupBy', totals.groups.map(groupName));
  valueFacts(parity, place, 'sort', totals.sorts.map(sortName));
  const page = getNamedType(field.type);
  if (!isObjectType(page)) return;
  const fields = page.getFields();
  const members = pageMembers(site);
  for (const name of new Set([...members.map((one) => one.name), ...Object.keys(fields)])) {
    const wanted = members.find((one) => one.name === name);
    const rest = parity.rest(wanted?.type, operation.item, operation.method);
    const at = { area: resource.key, aspect: 'field', holder: page, found: fields[name] } as const;
    memberFact(parity, at, wanted ?? { name }, rest);
  }
}
