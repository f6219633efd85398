import { ROLES } from '../../../descriptor/roles.ts';
import { furtherField, furtherSites } from '../convention/further-fields.ts';
import { servedFact } from './action-facts.ts';
import { batchFacts } from './batch-facts.ts';
import type { Parity } from './parity.ts';
import { totalsFacts } from './totals-facts.ts';

/** The further operations with fields on the root types, and the types of these. */
export function furtherFacts(parity: Parity): void {
  for (const { resource, further } of furtherSites(parity)) {
    const { operation, kind } = further;
    const member = furtherField(parity, resource, further);
    const coordinate = `${parity.rootNames[ROLES[kind].root]}.${member.name}`;
    servedFact(parity, resource, `${resource.name} ${kind}`, coordinate, operation, member, () => undefined);
    const field = parity.field(coordinate);
    if (!field) continue;
    const site = { resource, coordinate, field, operation };
    if (kind === 'totals') totalsFacts(parity, site, further);
    if (kind === 'batch') batchFacts(parity, site, further);
  }
}
