import { isDeepStrictEqual } from 'node:util';
import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { TenantRule } from '../../../descriptor/row-access.ts';
import type { Impact } from './change.ts';

type Report = (impact: Impact, rule: string, message: string) => void;

/** Differences in whose tenant's a row is. Each moves rows out of the sight of some callers, or into that of others. */
export function tenantChanges(old: ResourceDescriptor, now: ResourceDescriptor, report: Report): void {
  const [before, after] = [old.tenant, now.tenant];
  if (!before && after)
    report('major', 'tenant-added', `Callers can now see only the ${now.name} of their own tenant, ${wordsOf(after)}.`);
  else if (before && !after)
    report('major', 'tenant-removed', `Each ${now.name} belongs to no tenant any more: all tenants can see it.`);
  else if (before && after) ruleChanges(before, after, now.name, report);
}

function ruleChanges(before: TenantRule, after: TenantRule, name: string, report: Report): void {
  if (before.property !== after.property || !isDeepStrictEqual(before.claim, after.claim))
    report('major', 'tenant-changed', `The tenant of a ${name} is ${wordsOf(after)}, no longer ${wordsOf(before)}.`);
  if (before.across !== after.across)
    report(
      before.across === undefined ? 'minor' : 'major',
      'tenant-scope-changed',
      `The scope that sees each ${name} of all tenants is ${after.across ?? 'none'}, no longer ${before.across ?? 'none'}.`,
    );
}

const wordsOf = ({ property, claim }: TenantRule): string => `\`${property}\` by the claim \`${claim.join('.')}\``;

/** The unique keys of a resource as callers know them. */
export const keysWithinTenant = ({ unique, tenant }: ResourceDescriptor): readonly (readonly string[])[] =>
  unique.map((names) => (tenant && names.length > 1 ? names.filter((name) => name !== tenant.property) : names));
