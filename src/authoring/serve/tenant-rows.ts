import type { CompiledContract } from '../../descriptor/compiled-contract.ts';
import { resourceWithKey } from '../../descriptor/resource.ts';
import { recordOf } from '../../proving/harness/index.ts';
import type { Claims } from '../../runtime/auth/index.ts';
import type { Store } from '../../runtime/storage/index.ts';
import { load } from '../../tools/sample.ts';
import { allNeeds } from '../../tools/synthetic/index.ts';
import { tenantClaims, tenantsOf } from '../../tools/token/index.ts';
import { mockSample } from '../mock/mock-sample.ts';

const TENANTS = 2;

/**
 * The claims of ready-made tokens: their tenant is the first row of its resource. If the table is empty,
 * two are made, with the rows that they must refer to.
 */
export async function claimsOfTenant(store: Store, contract: CompiledContract): Promise<Claims> {
  const { resource: key } = tenantsOf(contract) ?? {};
  if (key === undefined) return tenantClaims(contract);
  const resource = resourceWithKey(contract.resources, key);
  const order = [{ property: 'id', direction: 'asc' }] as const;
  const first = async () => (await store.list({ resource: key, conditions: [], order, limit: 1 }))[0];
  const row = (await first()) ?? (await makeTenants(store, contract, key).then(first));
  return tenantClaims(contract, row && recordOf(resource, row)['id']);
}

async function makeTenants(store: Store, contract: CompiledContract, key: string): Promise<void> {
  const { resources } = contract;
  const needed = new Set([key, ...allNeeds(key, resources)]);
  const rows = [...mockSample({ contract, seed: 1, rows: TENANTS }).sample()].flatMap(({ resource, values }) => {
    if (!needed.has(resource)) return [];
    const others = resourceWithKey(resources, resource).properties.flatMap(({ name, references }) =>
      references && !needed.has(references.resource) ? [[name, null] as const] : [],
    );
    return [{ resource, values: { ...values, ...Object.fromEntries(others) } }];
  });
  const count = await load(store, resources, rows);
  console.log(`Made ${count} rows, for the tenant of the tokens below.`);
}
