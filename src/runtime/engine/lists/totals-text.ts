import { conventionNames } from '../../../descriptor/convention-names.ts';
import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { Totals } from '../interface/engine.ts';

/** Totals as the body of an answer. */
export const totalsBody = (
  { groups, hasMore }: Totals,
  { nameCase }: Pick<ResourceDescriptor, 'nameCase'>,
): Readonly<Record<string, unknown>> => ({ data: groups, [conventionNames(nameCase).hasMore]: hasMore });

/** The same as text, which is made once for all that the list cache answers by them. */
export function totalsText(totals: Totals, resource: Pick<ResourceDescriptor, 'nameCase'>): string {
  totals.rendered ??= JSON.stringify(totalsBody(totals, resource));
  return totals.rendered;
}
