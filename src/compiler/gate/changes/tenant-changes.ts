import { isDeepStrictEqual } from 'node:util';
import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { TenantRule } from '../../../descriptor/row-access.ts';
import type { Report } from './change-sentences.ts';

/** Differences in whose tenant's a row is. Each moves rows out of the sight of some callers, or into that of others. */
export function tenantChanges(old: ResourceDescriptor, now: ResourceDescriptor, report: Report): void {
  const [before, after] = [old.tenant, now.tenant];
  if (!before && after) report('major', 'tenant-added', { to: wordsOf(after) });
  else if (before && !after) report('major', 'tenant-removed');
  else if (before && after) ruleChanges(before, after, report);
}

function ruleChanges(before: TenantRule, after: TenantRule, report: Report): void {
  if (before.property !== after.property || !isDeepStrictEqual(before.claim, after.claim))
    report('major', 'tenant-changed', { from: wordsOf(before), to: wordsOf(after) });
  if (before.across !== after.across)
    report(before.across === undefined ? 'minor' : 'major', 'tenant-scope-changed', {
      from: before.across,
      to: after.across,
    });
}

const wordsOf = ({ property, claim }: TenantRule): string => `\`${property}\` by the claim \`${claim.join('.')}\``;

/** The unique keys of a resource as callers know them. */
export const keysWithinTenant = ({ unique, tenant }: ResourceDescriptor): readonly (readonly string[])[] =>
  unique.map((names) => (tenant && names.length > 1 ? names.filter((name) => name !== tenant.property) : names));
