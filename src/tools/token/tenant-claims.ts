import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import type { PropertyDescriptor, PropertyType } from '../../descriptor/resource.ts';
import type { Claims } from '../../runtime/auth/principal.ts';

const EXAMPLES: Partial<Readonly<Record<PropertyType, string | number>>> = {
  uuid: '019bc0de-7c00-7000-8000-0000000000aa',
  integer: 1,
  int64: '1',
};

/** The tenant of what is made up to try a contract with. */
export const exampleTenant = ({ type }: Pick<PropertyDescriptor, 'type'>): string | number =>
  EXAMPLES[type] ?? 'example';

/** The claim that names a tenant to a contract with `x-tenant`, for tokens to try it with: all are of one tenant. */
export function tenantClaims({ resources }: Pick<CompiledContract, 'resources'>): Claims {
  for (const { tenant, properties } of resources) {
    const property = tenant && properties.find(({ name }) => name === tenant.property);
    if (!tenant || !property) continue;
    const value = exampleTenant(property);
    return tenant.claim.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as Claims;
  }
  return {};
}
