import { bearer, head, JSON_TYPE, PATCH_TYPE, withBody } from './request-text.ts';
import type { Material, Scenario, TenantMaterial } from './scenario.ts';

/** The tenants take turns, and so do their machines. */
function turn({ tenants = [] }: Material, i: number): TenantMaterial & { readonly machine: string } {
  const tenant = tenants[i % tenants.length]!;
  return { ...tenant, machine: tenant.machines[(i * 7919) % tenant.machines.length]! };
}

/** Requests of callers of one tenant. */
export const layoutScenarios: readonly Scenario[] = [
  {
    name: 'get of a tenant',
    status: 200,
    request(material, i) {
      const { machine, token } = turn(material, i);
      return head('GET', `/v1/machines/${machine}`, bearer(token));
    },
  },
  {
    name: 'list of a tenant',
    status: 200,
    request: (material, i) => head('GET', '/v1/machines?limit=20', bearer(turn(material, i).token)),
  },
  {
    name: 'create with a reference',
    status: 201,
    request(material, i) {
      const { machine, worker, token } = turn(material, i);
      const body = { title: `job ${i}`, workerId: worker };
      return withBody('POST', `/v1/machines/${machine}/jobs`, token, JSON_TYPE, body);
    },
  },
  {
    name: 'update of a tenant',
    status: 200,
    request(material, i) {
      const { machine, token } = turn(material, i);
      return withBody('PATCH', `/v1/machines/${machine}`, token, PATCH_TYPE, { state: i % 2 === 0 ? 'IDLE' : 'BUSY' });
    },
  },
];
