import type { ResourceDescriptor } from '../../descriptor/resource.ts';
import { createSchemaRegistry } from '../../runtime/schema/index.ts';
import { load, type SampleRow } from '../../tools/sample.ts';
import { LifelikeValues, RowMaker } from '../../tools/samples/index.ts';
import { claimAt } from '../../tools/token/index.ts';
import type { Proof } from './proof.ts';

/** Puts rows of a resource into the databases of all servers, so many for each of three callers. */
export async function insertRows(proof: Proof, resource: ResourceDescriptor, count: number): Promise<void> {
  const { contract, rows, servers, resources } = proof;
  const { owner, other, unrestricted } = proof.callers;
  const { document } = contract;
  const schemas = createSchemaRegistry(document);
  const values = new LifelikeValues({ document, schemas, seed: 1 });
  const made = new Map(resources.map((one) => [one.key, rows.of(one)]));
  const maker = new RowMaker(resource, { contract, schemas, values, made });
  const { tenant, owner: owned } = resource;
  const all: SampleRow[] = [];
  for (const { subject, claims } of [owner, other, unrestricted])
    for (let i = 0; i < count; i += 1) {
      const own = maker.make({
        ...(tenant && { [tenant.property]: claimAt(claims, tenant.claim) }),
        ...(owned && { [owned.property]: subject }),
      });
      if (own) all.push({ resource: resource.key, values: own });
    }
  for (const { store } of [servers.first, ...servers.others]) await load(store, resources, all);
  await proof.sideEffects();
}
